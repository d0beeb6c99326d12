package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An upgrade: every process of a cluster ends by SIGTERM and starts again, one after the other,
 * under load. Every other server is drained of its leaderships first, the others hand them over by
 * themselves. Clients go on through the other front end when one does not listen, and no call
 * fails, nor stays unanswered. {@code -Dparterre.chaos.rounds=N} sets how often all are restarted.
 */
@Course
class RollingRestartIT {
    private static final Logger LOG = LoggerFactory.getLogger(RollingRestartIT.class);

    private static final int ROUNDS = Integer.getInteger("parterre.chaos.rounds", 2);
    private static final int WRITERS = 4;
    private static final int WRITES_BETWEEN = 20;
    private static final Duration DRAINED_WITHIN = Duration.ofSeconds(60);

    /** Eight processes, one of them starting, and their load share one machine. */
    private static final Duration SILENCE_MAX = Duration.ofSeconds(20);

    private final Durations silences = new Durations();

    @Test
    void noCallFails_whileEachProcessIsRestarted() {
        try (ClusterRun run = ClusterRun.start("rolling-restart")) {
            Writers writers =
                    new Writers("Rolled", WRITERS, run.random().nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            List<TableConnection> connections = run.followingConnections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            writers.start(connections);
            registers.start(connections);
            for (int round = 0; round < ROUNDS; round++) {
                restartAll(run.cluster(), writers);
            }
            writers.awaitAcknowledged(WRITES_BETWEEN);
            writers.stop();
            registers.stop();
            LOG.info(
                    "rolling restart seed={} rounds={} writes={} reads={} failed={} unanswered={}"
                            + " longest silence {}",
                    run.seed(),
                    ROUNDS,
                    writers.acknowledged() + registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered(),
                    silences);
            run.assertNone(
                    new Verification(connections.get(0), writers).ofEverything(), "in the end");
            run.assertNone(registers.violations(), "in the end");
            run.assertNoFailedCall(writers, registers);
            assertThat(silences.percentile(100))
                    .as("longest silence between two writes, seed %s", run.seed())
                    .isLessThan(SILENCE_MAX);
        }
    }

    private void restartAll(ClusterProcesses cluster, Writers writers) {
        for (String manager : cluster.names(RoleName.PARTITION_MANAGER)) {
            restart(cluster, writers, manager, false);
        }
        // The leader goes first, so that each way to give up a leadership is taken.
        List<String> servers = new ArrayList<>(cluster.names(RoleName.PARTITION_SERVER));
        boolean drained = true;
        while (!servers.isEmpty()) {
            String leader = cluster.leadingServer();
            String server = servers.contains(leader) ? leader : servers.get(0);
            servers.remove(server);
            restart(cluster, writers, server, drained);
            drained = !drained;
        }
        for (String frontEnd : cluster.names(RoleName.FRONT_END)) {
            restart(cluster, writers, frontEnd, false);
        }
    }

    private void restart(
            ClusterProcesses cluster, Writers writers, String node, boolean drainedBefore) {
        writers.awaitAcknowledged(WRITES_BETWEEN);
        long begunNanos = System.nanoTime();
        writers.pulse().watchFrom(begunNanos);
        boolean led = cluster.leads(node);
        if (drainedBefore) {
            cluster.operator().ask("drain", node);
            await("drain of " + node)
                    .atMost(DRAINED_WITHIN)
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(50))
                    .until(() -> !cluster.leads(node));
        }
        cluster.stop(node);
        cluster.restart(node);
        if (drainedBefore) {
            cluster.operator().ask("undrain", node);
        }
        cluster.awaitHealthy();
        Duration silence = writers.pulse().longestSilence();
        silences.add(silence);
        LOG.info(
                "restart node={} led={} drained={} tookMillis={} longestSilenceMillis={}",
                node,
                led,
                drainedBefore,
                Duration.ofNanos(System.nanoTime() - begunNanos).toMillis(),
                silence.toMillis());
    }
}
