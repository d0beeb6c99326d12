package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.NetworkFault;
import io.parterre.chaos.fault.NetworkFaultPlan;
import io.parterre.chaos.fault.NetworkNemesis;
import io.parterre.chaos.process.Namespaces;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network between the processes of a cluster splits, one way or both, slows down and flaps,
 * under load. All that was acknowledged is there, no read goes back, no call fails, and writes go
 * on. {@code -Dparterre.chaos.partitions=N} sets how often. Needs root and network namespaces, and
 * is skipped without.
 */
@Course
class PartitionIT {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionIT.class);

    private static final int FAULTS = Integer.getInteger("parterre.chaos.partitions", 12);
    private static final int FAULTS_BETWEEN_VERIFICATIONS = 5;
    private static final int WRITERS = 4;

    private static final List<String> PROCESSES =
            List.of("m1", "m2", "m3", "s1", "s2", "s3", "f1", "f2");

    /** What a cluster on machines of its own keeps to, several times over. */
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(20);

    /** From the end of a fault; the longest silence after which a connection is given up, twice. */
    private static final Duration WHOLE_MAX = Duration.ofSeconds(40);

    private final Durations recoveries = new Durations();
    private final Durations wholes = new Durations();
    private final Map<NetworkFault.Kind, Integer> kinds = new EnumMap<>(NetworkFault.Kind.class);

    @Test
    void ackedWritesSurviveAndNoCallFails_whenNetworkPartitions() {
        Optional<String> missing = Namespaces.missing();
        assumeTrue(missing.isEmpty(), () -> "no network namespaces: " + missing.orElse(""));
        try (Namespaces network = Namespaces.create(PROCESSES);
                ClusterRun run = ClusterRun.start("partition", network)) {
            SplittableRandom random = run.random();
            Writers writers = new Writers("Split", WRITERS, random.nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            NetworkFaultPlan plan = new NetworkFaultPlan(random.split());
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            registers.start(connections);
            writers.start(connections);
            NetworkNemesis nemesis = new NetworkNemesis(run.cluster(), network, writers.pulse());

            for (int i = 1; i <= FAULTS; i++) {
                NetworkFault fault = plan.next();
                writers.awaitAcknowledged(fault.writesBefore());
                NetworkNemesis.Outcome outcome = nemesis.run(fault);
                record(fault, outcome);
                LOG.info(
                        "fault number={} fault={} victim={} recoveryMillis={} wholeMillis={}"
                                + " failed={} unanswered={}",
                        i,
                        fault,
                        outcome.victim(),
                        outcome.recovery().toMillis(),
                        outcome.whole().toMillis(),
                        writers.failed() + registers.failed(),
                        writers.unanswered() + registers.unanswered());
                assertThat(writers.areWorking())
                        .as("writers work, seed %s %s", run.seed(), writers.failures())
                        .isTrue();
                run.assertNone(registers.violations(), "after fault " + i);
                if (i % FAULTS_BETWEEN_VERIFICATIONS == 0) {
                    writers.stop();
                    run.assertNone(
                            verification(connections, writers).ofRecentWrites(),
                            "after fault " + i);
                    writers.start(connections);
                }
            }
            writers.stop();
            registers.stop();
            LOG.info(
                    "partitions seed={} faults={} writes={} registerWrites={} reads={} failed={}"
                            + " unanswered={} recovery {} whole {}",
                    run.seed(),
                    kinds,
                    writers.acknowledged(),
                    registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered(),
                    recoveries,
                    wholes);
            run.assertNone(verification(connections, writers).ofEverything(), "in the end");
            run.assertNone(registers.violations(), "in the end");
            run.assertNoFailedCall(writers, registers);
            assertThat(recoveries.percentile(100))
                    .as("from fault to write, seed %s", run.seed())
                    .isLessThan(RECOVERY_MAX);
            assertThat(wholes.percentile(100))
                    .as("from the end of a fault to a whole cluster, seed %s", run.seed())
                    .isLessThan(WHOLE_MAX);
        }
    }

    /** After all that is still on its way, as in {@link ClusterKillLoopIT}. */
    private static Verification verification(List<TableConnection> connections, Writers writers) {
        for (TableConnection connection : connections) {
            assertThat(writers.barrier(connection)).isInstanceOf(Answer.Acknowledged.class);
        }
        return new Verification(connections.get(0), writers);
    }

    private void record(NetworkFault fault, NetworkNemesis.Outcome outcome) {
        kinds.merge(fault.kind(), 1, Integer::sum);
        recoveries.add(outcome.recovery());
        wholes.add(outcome.whole());
    }
}
