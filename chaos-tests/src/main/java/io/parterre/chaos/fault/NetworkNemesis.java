package io.parterre.chaos.fault;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.Namespaces;
import io.parterre.chaos.workload.Pulse;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Inflicts a fault on the network of a cluster under load, checks that writes continue, and repairs
 * the network. Confined to one thread.
 */
public final class NetworkNemesis {
    private static final Duration WRITES_GO_ON_WITHIN = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(5);
    private static final Duration FLAP = Duration.ofMillis(250);
    private static final int DELAY_MILLIS = 100;
    private static final int LOSS_PERCENT = 5;

    private final ClusterProcesses cluster;
    private final Namespaces network;
    private final Pulse pulse;

    /**
     * Outcome of a fault.
     *
     * @param victim the process that was cut off, or one of them
     * @param recovery time from the fault to the first acknowledgement of a write begun after it
     * @param whole time from the end of the fault until every process and every range was as before
     */
    public record Outcome(String victim, Duration recovery, Duration whole) {}

    /**
     * Creates a nemesis.
     *
     * @param pulse acknowledgements of writes that are always in flight
     */
    public NetworkNemesis(ClusterProcesses cluster, Namespaces network, Pulse pulse) {
        this.cluster = cluster;
        this.network = network;
        this.pulse = pulse;
    }

    /**
     * Inflicts the fault. The cluster is healthy before and after.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if writes do not continue
     */
    public Outcome run(NetworkFault fault) {
        String victim =
                fault.kind() == NetworkFault.Kind.SERVER_ALONE
                        ? pick(cluster.names(RoleName.PARTITION_SERVER), fault)
                        : cluster.leadingServer();
        String manager = cluster.leadingManager();
        begin(fault, victim, manager);
        // Not before, because it takes a moment until the last packet has passed.
        long begunNanos = System.nanoTime();
        pulse.watchFrom(begunNanos);
        awaitEnd(fault, victim, begunNanos);
        network.heal();
        long healedNanos = System.nanoTime();
        Duration recovery =
                await("a write acknowledged after " + fault + ", " + victim)
                        .atMost(WRITES_GO_ON_WITHIN)
                        .pollDelay(Duration.ZERO)
                        .pollInterval(POLL)
                        .until(pulse::recovery, Optional::isPresent)
                        .orElseThrow();
        cluster.awaitHealthy();
        return new Outcome(victim, recovery, Duration.ofNanos(System.nanoTime() - healedNanos));
    }

    private void begin(NetworkFault fault, String victim, String manager) {
        switch (fault.kind()) {
            case LEADER_ALONE, SERVER_ALONE -> network.isolate(victim);
            case LEADERS_TOGETHER -> {
                List<String> rest = others(victim);
                rest.remove(manager);
                for (String other : rest) {
                    cutBothWays(victim, other);
                    cutBothWays(manager, other);
                }
            }
            case LEADER_DEAF -> others(victim).forEach(other -> network.cut(other, victim));
            case LEADER_MUTE -> others(victim).forEach(other -> network.cut(victim, other));
            case LEADER_AND_FOLLOWER -> {
                List<String> servers = new ArrayList<>(cluster.names(RoleName.PARTITION_SERVER));
                servers.remove(victim);
                cutBothWays(victim, pick(servers, fault));
            }
            case ROLES_APART -> {
                for (String server : cluster.names(RoleName.PARTITION_SERVER)) {
                    for (String each : cluster.names(RoleName.PARTITION_MANAGER)) {
                        cutBothWays(server, each);
                    }
                }
            }
            case LEADER_FLAPPING -> network.isolate(victim);
            case SERVERS_SLOW -> {
                for (String server : cluster.names(RoleName.PARTITION_SERVER)) {
                    if (!network.slowDown(server, DELAY_MILLIS, LOSS_PERCENT)) {
                        network.isolate(victim);
                        return;
                    }
                }
            }
        }
    }

    private void awaitEnd(NetworkFault fault, String victim, long begunNanos) {
        boolean flaps =
                fault.kind() == NetworkFault.Kind.LEADER_FLAPPING
                        || fault.kind() == NetworkFault.Kind.SERVERS_SLOW
                                && !network.slowDown(victim, DELAY_MILLIS, LOSS_PERCENT);
        await("end of " + fault)
                .pollDelay(Duration.ZERO)
                .pollInterval(flaps ? FLAP : POLL)
                .atMost(fault.time().plus(WRITES_GO_ON_WITHIN))
                .until(
                        () -> {
                            if (flaps) {
                                flap(victim, begunNanos);
                            }
                            return System.nanoTime() - begunNanos >= fault.time().toNanos();
                        });
    }

    private void flap(String victim, long begunNanos) {
        if ((System.nanoTime() - begunNanos) / FLAP.toNanos() % 2 == 0) {
            network.isolate(victim);
        } else {
            network.connect(victim);
        }
    }

    private void cutBothWays(String one, String other) {
        network.cut(one, other);
        network.cut(other, one);
    }

    private List<String> others(String name) {
        List<String> others = new ArrayList<>();
        for (RoleName role : RoleName.values()) {
            others.addAll(cluster.names(role));
        }
        others.remove(name);
        return others;
    }

    private static String pick(List<String> names, NetworkFault fault) {
        return names.get(fault.pick() % names.size());
    }
}
