package io.parterre.deploy.local;

import io.parterre.deploy.node.RoleName;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Size of a cluster on this machine.
 *
 * @param managers 1, 3 or 5
 * @param replicas replicas of each range: 1, 3 or 5; at most the number of servers
 * @param jvmOptions options for all processes, after those that keep them small
 * @param hosts addresses of processes that do not listen on loopback, by the processes' names
 * @param tls whether processes have certificates and use TLS with each other, and managers encrypt
 *     account keys; clients' connections are in plain text in either case
 */
public record LocalClusterPlan(
        int managers,
        int servers,
        int frontEnds,
        int replicas,
        List<String> jvmOptions,
        Map<String, String> hosts,
        boolean tls) {
    /** More would not fit on any development machine. */
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

    /** Creates a plan with TLS. */
    public LocalClusterPlan(
            int managers,
            int servers,
            int frontEnds,
            int replicas,
            List<String> jvmOptions,
            Map<String, String> hosts) {
        this(managers, servers, frontEnds, replicas, jvmOptions, hosts, true);
    }

    private static void requireOdd(String name, int count) {
        if (count != 1 && count != 3 && count != 5) {
            throw new IllegalArgumentException(name + ": " + count + " (expected: 1, 3 or 5)");
        }
    }

    /** Returns a plan with three managers and replicas, so that any one process may be lost. */
    public static LocalClusterPlan of(int servers, int frontEnds) {
        return new LocalClusterPlan(
                3, servers, frontEnds, servers < 3 ? 1 : 3, List.of(), Map.of());
    }

    public LocalClusterPlan withJvmOptions(List<String> options) {
        return new LocalClusterPlan(managers, servers, frontEnds, replicas, options, hosts, tls);
    }

    /** Returns a plan of processes in their own network namespaces, each with an address. */
    public LocalClusterPlan withHosts(Map<String, String> addresses) {
        return new LocalClusterPlan(
                managers, servers, frontEnds, replicas, jvmOptions, addresses, tls);
    }

    /** Returns a plan of processes that use plain text. */
    public LocalClusterPlan inPlainText() {
        return new LocalClusterPlan(
                managers, servers, frontEnds, replicas, jvmOptions, hosts, false);
    }

    /** Returns the processes, none of them started, each with its own free ports. */
    List<LocalNode> nodes(Path folder) {
        LoopbackPorts ports = new LoopbackPorts();
        List<LocalNode> nodes = new ArrayList<>();
        for (int i = 1; i <= managers; i++) {
            nodes.add(keeper("m" + i, RoleName.PARTITION_MANAGER, host("m" + i), ports, folder));
        }
        for (int i = 1; i <= servers; i++) {
            nodes.add(server("s" + i, host("s" + i), ports, folder));
        }
        for (int i = 1; i <= frontEnds; i++) {
            Map<String, Integer> uses = Map.of("table", ports.next(), "admin", ports.next());
            String name = "f" + i;
            nodes.add(
                    new LocalNode(
                            name, RoleName.FRONT_END, 0, host(name), uses, folder.resolve(name)));
        }
        return nodes;
    }

    private String host(String name) {
        return hosts.getOrDefault(name, LoopbackPorts.HOST);
    }

    /** Returns a partition server that was not started yet. */
    static LocalNode server(String name, String host, LoopbackPorts ports, Path folder) {
        return keeper(name, RoleName.PARTITION_SERVER, host, ports, folder);
    }

    /** Returns a process with Raft, and with a service for other processes. */
    private static LocalNode keeper(
            String name, RoleName role, String host, LoopbackPorts ports, Path folder) {
        Map<String, Integer> uses =
                Map.of("raft", ports.next(), "service", ports.next(), "admin", ports.next());
        return new LocalNode(name, role, 0, host, uses, folder.resolve(name));
    }
}
