package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Answer;
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
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * All processes of a cluster are killed at once, under load, and started in any order: every other
 * time two of three managers and two of three servers come first, and have to have everything by
 * themselves. Nobody helps them. {@code -Dparterre.chaos.rounds=N} sets how often. Pages that a
 * kernel has not written are another matter: they outlive the processes.
 */
@Course
class PowerLossIT {
    private static final Logger LOG = LoggerFactory.getLogger(PowerLossIT.class);

    private static final int ROUNDS = Integer.getInteger("parterre.chaos.rounds", 4);
    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE_MAX = 800;
    private static final int WRITES_AFTER = 20;

    private final Durations starts = new Durations();

    @Test
    void ackedWritesSurvive_whenAllProcessesAreKilledAtOnce() {
        try (ClusterRun run = ClusterRun.start("power-loss")) {
            SplittableRandom random = run.random();
            Writers writers = new Writers("Lost", WRITERS, random.nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            for (int round = 1; round <= ROUNDS; round++) {
                writers.start(connections);
                registers.start(connections);
                writers.awaitAcknowledged(1 + random.nextInt(WRITES_BEFORE_MAX));
                run.cluster().killAll();
                writers.stop();
                registers.stop();
                startAgain(run, random, round % 2 == 1, connections, writers);
                run.assertNone(registers.violations(), "after kill " + round);
            }
            // What is read now is held against all that was acknowledged before any kill.
            writers.start(connections);
            registers.start(connections);
            writers.awaitAcknowledged(WRITES_AFTER);
            registers.awaitWritten(WRITES_AFTER);
            writers.stop();
            registers.stop();
            LOG.info(
                    "power losses seed={} rounds={} writes={} reads={} start {}",
                    run.seed(),
                    ROUNDS,
                    writers.acknowledged() + registers.writes(),
                    registers.reads(),
                    starts);
            verify(run, connections, writers, "in the end");
            run.assertNone(registers.violations(), "in the end");
        }
    }

    private void startAgain(
            ClusterRun run,
            SplittableRandom random,
            boolean majorityFirst,
            List<TableConnection> connections,
            Writers writers) {
        ClusterProcesses cluster = run.cluster();
        List<String> first = new ArrayList<>(cluster.names(RoleName.FRONT_END));
        List<String> later = new ArrayList<>();
        for (RoleName role : List.of(RoleName.PARTITION_MANAGER, RoleName.PARTITION_SERVER)) {
            List<String> names = shuffled(cluster.names(role), random);
            first.addAll(names.subList(0, majorityFirst ? 2 : 3));
            later.addAll(names.subList(majorityFirst ? 2 : 3, 3));
        }
        List<String> order = shuffled(first, random);
        if (random.nextInt(3) == 0) {
            // The power comes back for a moment only.
            cluster.launch(order);
            cluster.killAll();
        }
        long begunNanos = System.nanoTime();
        cluster.restart(order);
        starts.add(Duration.ofNanos(System.nanoTime() - begunNanos));
        verify(run, connections, writers, "after the start of " + order);
        cluster.restart(later);
        cluster.awaitHealthy();
        LOG.info("started again order={} later={} start {}", order, later, starts);
    }

    private static void verify(
            ClusterRun run, List<TableConnection> connections, Writers writers, String when) {
        for (TableConnection connection : connections) {
            assertThat(writers.barrier(connection)).isInstanceOf(Answer.Acknowledged.class);
        }
        run.assertNone(new Verification(connections.get(0), writers).ofEverything(), when);
    }

    private static List<String> shuffled(List<String> names, SplittableRandom random) {
        List<String> left = new ArrayList<>(names);
        List<String> shuffled = new ArrayList<>();
        while (!left.isEmpty()) {
            shuffled.add(left.remove(random.nextInt(left.size())));
        }
        return shuffled;
    }
}
