package io.parterre.deploy.local;

import java.util.List;
import java.util.Map;

/**
 * How large a cluster on this machine is.
 *
 * @param managers 1, 3 or 5
 * @param replicas of each range: 1, 3 or 5; no more than servers
 * @param jvmOptions for all processes, after those that keep them small
 * @param hosts where processes listen that do not on loopback, by their names
 */
public record LocalClusterPlan(
        int managers,
        int servers,
        int frontEnds,
        int replicas,
        List<String> jvmOptions,
        Map<String, String> hosts) {
    /** More would not fit on any machine that one develops on. */
    private static final int PROCESSES_MAX = 32;

    public LocalClusterPlan {
        jvmOptions = List.copyOf(jvmOptions);
        hosts = Map.copyOf(hosts);
        requireOdd("managers", managers);
        requireOdd("replicas", replicas);
        if (servers < replicas) {
            throw new IllegalArgumentException(
                    "servers: " + servers + " (expected: at least the replicas, " + replicas + ")");
        }
        if (frontEnds < 1) {
            throw new IllegalArgumentException("front ends: " + frontEnds + " (expected: >= 1)");
        }
        if (managers + servers + frontEnds > PROCESSES_MAX) {
            throw new IllegalArgumentException(
                    "processes: "
                            + (managers + servers + frontEnds)
                            + " (expected: at most "
                            + PROCESSES_MAX
                            + ")");
        }
    }

    private static void requireOdd(String name, int count) {
        if (count != 1 && count != 3 && count != 5) {
            throw new IllegalArgumentException(name + ": " + count + " (expected: 1, 3 or 5)");
        }
    }

    /** Three managers and replicas, so that any one process may be lost. */
    public static LocalClusterPlan of(int servers, int frontEnds) {
        return new LocalClusterPlan(
                3, servers, frontEnds, servers < 3 ? 1 : 3, List.of(), Map.of());
    }

    public LocalClusterPlan withJvmOptions(List<String> options) {
        return new LocalClusterPlan(managers, servers, frontEnds, replicas, options, hosts);
    }

    /** Processes in network namespaces of their own, each with an address. */
    public LocalClusterPlan withHosts(Map<String, String> addresses) {
        return new LocalClusterPlan(managers, servers, frontEnds, replicas, jvmOptions, addresses);
    }

    String host(String name) {
        return hosts.getOrDefault(name, LoopbackPorts.HOST);
    }
}
