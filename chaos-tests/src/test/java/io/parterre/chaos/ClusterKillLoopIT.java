package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.Fault;
import io.parterre.chaos.fault.FaultPlan;
import io.parterre.chaos.fault.Nemesis;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Processes of a cluster, of any role, are killed and paused under load, one at a time. All that
 * was acknowledged is there, nothing unacknowledged contradicts, no read goes back, and clients see
 * no error but calls that a killed front end left unanswered. {@code -Dparterre.chaos.kills=N} sets
 * how often, {@code -Dparterre.chaos.seconds=N} how long at most. It needs no timeout of its own,
 * since every wait in it has one.
 */
@Course
class ClusterKillLoopIT {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterKillLoopIT.class);

    private static final int FAULTS = Integer.getInteger("parterre.chaos.kills", 60);

    /** Each kind of process is killed once, however long it takes. */
    private static final int FAULTS_MIN = Fault.Target.values().length;

    private static final Duration TIME_MAX =
            Duration.ofSeconds(Integer.getInteger("parterre.chaos.seconds", Integer.MAX_VALUE));

    private static final int FAULTS_BETWEEN_VERIFICATIONS = 4;
    private static final int WRITERS = 4;

    /** What a cluster on a machine of its own keeps to, several times over. */
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(20);

    private final Map<Fault.Kind, Durations> failovers = new EnumMap<>(Fault.Kind.class);
    private final Map<Fault.Kind, Durations> others = new EnumMap<>(Fault.Kind.class);
    private final Map<Fault.Target, Integer> targets = new EnumMap<>(Fault.Target.class);

    @Test
    void ackedWritesSurvive_whenAnyProcessIsKilledOrPaused() {
        try (ClusterRun run = ClusterRun.start("cluster-kill-loop")) {
            SplittableRandom random = run.random();
            Writers writers = new Writers("Killed", WRITERS, random.nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            FaultPlan plan = new FaultPlan(random.split());
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            registers.start(connections);
            Nemesis nemesis = new Nemesis(run.cluster(), writers.pulse());

            writers.start(connections);
            long begunNanos = System.nanoTime();
            for (int i = 1; i <= FAULTS && (i <= FAULTS_MIN || isTimeLeft(begunNanos)); i++) {
                Fault fault = plan.next();
                writers.awaitAcknowledged(fault.writesBefore());
                long failedBefore = writers.failed() + registers.failed();
                long unansweredBefore = writers.unanswered() + registers.unanswered();
                Nemesis.Outcome outcome = nemesis.run(fault);
                long unanswered = writers.unanswered() + registers.unanswered() - unansweredBefore;
                record(fault, outcome);
                LOG.info(
                        "fault number={} fault={} node={} led={} recoveryMillis={} failed={}"
                                + " unanswered={}",
                        i,
                        fault,
                        outcome.node(),
                        outcome.led(),
                        outcome.recovery().toMillis(),
                        writers.failed() + registers.failed() - failedBefore,
                        unanswered);
                assertThat(fault.target() == Fault.Target.FRONT_END ? 0 : unanswered)
                        .as("calls without an answer though no front end was lost, %s", run.seed())
                        .isZero();
                assertThat(writers.areWorking())
                        .as("writers work, seed %s %s", run.seed(), writers.failures())
                        .isTrue();
                if (i % FAULTS_BETWEEN_VERIFICATIONS == 0) {
                    writers.stop();
                    run.assertNone(
                            verification(connections, writers).ofRecentWrites(),
                            "after fault " + i);
                    run.assertNone(registers.violations(), "after fault " + i);
                    writers.start(connections);
                }
            }
            writers.stop();
            registers.stop();
            LOG.info("{}", summary(run, writers, registers));
            run.assertNone(verification(connections, writers).ofEverything(), "in the end");
            run.assertNone(registers.violations(), "in the end");
            assertClientsSawNoError(run, writers, registers);
            failovers
                    .values()
                    .forEach(
                            each ->
                                    assertThat(each.percentile(100))
                                            .as("from fault to write, seed %s", run.seed())
                                            .isLessThan(RECOVERY_MAX));
        }
    }

    private static boolean isTimeLeft(long begunNanos) {
        return System.nanoTime() - begunNanos < TIME_MAX.toNanos();
    }

    /**
     * A write in doubt may wait in a queue. Each server takes a range's writes in order, so none is
     * on its way any more once another has been acknowledged.
     */
    private static Verification verification(List<TableConnection> connections, Writers writers) {
        for (TableConnection connection : connections) {
            Answer answer = writers.barrier(connection);
            assertThat(answer).isInstanceOf(Answer.Acknowledged.class);
        }
        return new Verification(connections.get(0), writers);
    }

    private void record(Fault fault, Nemesis.Outcome outcome) {
        targets.merge(fault.target(), 1, Integer::sum);
        (outcome.led() ? failovers : others)
                .computeIfAbsent(fault.kind(), kind -> new Durations())
                .add(outcome.recovery());
    }

    private static void assertClientsSawNoError(
            ClusterRun run, Writers writers, Registers registers) {
        List<String> failures = new ArrayList<>(writers.failures());
        failures.addAll(registers.failures());
        run.assertNone(failures, "calls answered with an error");
    }

    private String summary(ClusterRun run, Writers writers, Registers registers) {
        return "kill loop seed="
                + run.seed()
                + " faults="
                + targets
                + " writes="
                + writers.acknowledged()
                + " registerWrites="
                + registers.writes()
                + " reads="
                + registers.reads()
                + " failed="
                + (writers.failed() + registers.failed())
                + " unanswered="
                + (writers.unanswered() + registers.unanswered())
                + " leaderFaults="
                + failovers
                + " otherFaults="
                + others;
    }
}
