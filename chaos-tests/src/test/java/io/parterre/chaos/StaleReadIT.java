package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.Fault;
import io.parterre.chaos.fault.FaultPlan;
import io.parterre.chaos.fault.Nemesis;
import io.parterre.chaos.workload.Durations;
import io.parterre.chaos.workload.Registers;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that leads is stopped and continued under load: it wakes up and does not know that
 * another leads by now. Until it learns that, it must not answer a read. {@code
 * -Dparterre.chaos.pauses=N} sets how often.
 */
@Course
class StaleReadIT {
    private static final Logger LOG = LoggerFactory.getLogger(StaleReadIT.class);

    private static final int PAUSES = Integer.getInteger("parterre.chaos.pauses", 12);
    private static final Duration RECOVERY_MAX = Duration.ofSeconds(20);

    @Test
    void readsAreNeverStale_whenLeaderIsPausedAndResumed() {
        try (ClusterRun run = ClusterRun.start("stale-read")) {
            Registers registers = new Registers("Registers");
            FaultPlan plan = new FaultPlan(run.random());
            List<TableConnection> connections = run.connections();
            connections.get(0).createTable(registers.table());
            Nemesis nemesis = new Nemesis(run.cluster(), registers.pulse());
            Durations recoveries = new Durations();
            registers.start(connections);
            for (int i = 1; i <= PAUSES; i++) {
                Fault fault = plan.nextPauseOfLeader();
                registers.awaitWritten(fault.writesBefore());
                Nemesis.Outcome outcome = nemesis.run(fault);
                recoveries.add(outcome.recovery());
                LOG.info(
                        "pause number={} fault={} node={} recoveryMillis={}",
                        i,
                        fault,
                        outcome.node(),
                        outcome.recovery().toMillis());
                run.assertNone(registers.violations(), "after pause " + i);
            }
            registers.stop();
            LOG.info(
                    "stale reads seed={} violations={} reads={} writes={} failed={} unanswered={}"
                            + " recovery {}",
                    run.seed(),
                    registers.violations().size(),
                    registers.reads(),
                    registers.writes(),
                    registers.failed(),
                    registers.unanswered(),
                    recoveries);
            run.assertNone(registers.violations(), "in the end");
            run.assertNone(registers.failures(), "calls answered with an error");
            assertThat(registers.unanswered()).as("calls without an answer").isZero();
            assertThat(recoveries.percentile(100))
                    .as("from pause to write, seed %s", run.seed())
                    .isLessThan(RECOVERY_MAX);
        }
    }
}
