package io.parterre.chaos.fault;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.workload.Pulse;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Inflicts a fault on a cluster under load, checks that writes continue, and repairs the cluster.
 * Confined to one thread.
 */
public final class Nemesis {
    private static final Duration WRITES_GO_ON_WITHIN = Duration.ofSeconds(60);
    private static final Duration POLL = Duration.ofMillis(5);

    private final ClusterProcesses cluster;
    private final Pulse pulse;

    /**
     * Outcome of a fault.
     *
     * @param led whether the process led the first range
     * @param recovery time from the fault to the first acknowledgement of a write begun after it
     */
    public record Outcome(String node, boolean led, Duration recovery) {}

    /**
     * @param pulse acknowledgements of writes that are always in flight
     */
    public Nemesis(ClusterProcesses cluster, Pulse pulse) {
        this.cluster = cluster;
        this.pulse = pulse;
    }

    /**
     * Inflicts the fault. The cluster is healthy before and after.
     *
     * @throws org.awaitility.core.ConditionTimeoutException if writes do not continue
     */
    public Outcome run(Fault fault) {
        String node = victim(fault);
        boolean led = cluster.leads(node);
        // Before the signal, because the time to send it counts as well.
        long nowNanos = System.nanoTime();
        pulse.watchFrom(nowNanos);
        switch (fault.kind()) {
            case KILL -> {
                cluster.kill(node);
                Duration recovery = awaitRecovery(fault, node);
                cluster.restart(node);
                cluster.awaitHealthy();
                return new Outcome(node, led, recovery);
            }
            case PAUSE -> {
                cluster.pause(node);
                await("end of the pause")
                        .pollDelay(Duration.ZERO)
                        .pollInterval(POLL)
                        .atMost(fault.pause().plus(WRITES_GO_ON_WITHIN))
                        .until(() -> System.nanoTime() - nowNanos >= fault.pause().toNanos());
                cluster.resume(node);
                Duration recovery = awaitRecovery(fault, node);
                cluster.awaitHealthy();
                return new Outcome(node, led, recovery);
            }
        }
        throw new IllegalStateException("fault: " + fault);
    }

    private Duration awaitRecovery(Fault fault, String node) {
        return await("a write acknowledged after " + fault + ", " + node)
                .atMost(WRITES_GO_ON_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(POLL)
                .until(pulse::recovery, Optional::isPresent)
                .orElseThrow();
    }

    private String victim(Fault fault) {
        return switch (fault.target()) {
            case LEADING_SERVER -> cluster.leadingServer();
            case LEADING_MANAGER -> cluster.leadingManager();
            case ANY_SERVER -> pick(RoleName.PARTITION_SERVER, fault);
            case ANY_MANAGER -> pick(RoleName.PARTITION_MANAGER, fault);
            case FRONT_END -> pick(RoleName.FRONT_END, fault);
        };
    }

    private String pick(RoleName role, Fault fault) {
        List<String> names = cluster.names(role);
        return names.get(fault.pick() % names.size());
    }
}
