package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.workload.TableTurnover;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.testing.Tier;
import java.time.Duration;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * One server is killed under load, again and again, on one data folder. After each restart all that
 * was acknowledged is there, batches are whole or absent, versions only grew, and no table that was
 * created again holds anything of an earlier life. {@code -Dparterre.chaos.kills=N} sets how often.
 * It needs no timeout of its own, since every wait in it has one.
 */
class KillLoopIT {
    private static final int KILLS = Tier.size("parterre.chaos.kills", 3, 20);
    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE_KILL_MAX = 400;

    /** Every so many restarts, the server is killed before it can be ready. */
    private static final int EARLY_KILL_EVERY = 3;

    private static final int EARLY_KILL_MILLIS_MAX = 1_500;

    private final ChaosRun run = ChaosRun.named("kill-loop");

    @Test
    void ackedWritesSurvive_whenServerIsKilledRepeatedly() {
        SplittableRandom random = run.random();
        Writers writers = new Writers("Killed", WRITERS, random.nextLong());
        TableTurnover turnover = new TableTurnover(random.nextLong());
        ServerProcess server = ServerProcess.start(run.settings());
        try {
            run.connect().createTable(writers.table());
            for (int kill = 1; kill <= KILLS; kill++) {
                writers.start(run.connect());
                turnover.start(run.connect());
                writers.awaitAcknowledged(1 + random.nextInt(WRITES_BEFORE_KILL_MAX));
                assertThat(writers.areWorking())
                        .as(
                                "writers lost a server that lives, seed %s %s",
                                run.seed(), server.endOfLog())
                        .isTrue();
                server.kill();
                writers.awaitEnd();
                turnover.awaitEnd();

                if (kill % EARLY_KILL_EVERY == 0) {
                    killWhileItStarts(random.nextInt(EARLY_KILL_MILLIS_MAX));
                }
                server = ServerProcess.start(run.settings());
                TableConnection connection = run.connect();
                String when = "after kill " + kill;
                run.assertNone(
                        new Verification(connection, writers).ofRecentWrites(), when, server);
                run.assertNone(turnover.verify(connection), when, server);
            }
            run.assertNone(
                    new Verification(run.connect(), writers).ofEverything(), "in the end", server);
            assertThat(writers.failed()).as("writes that a living server failed").isZero();
            assertThat(turnover.lives()).as("tables that came and went").isGreaterThan(KILLS);
        } finally {
            server.close();
        }
    }

    private void killWhileItStarts(int afterMillis) {
        try (ServerProcess early = ServerProcess.launch(run.settings())) {
            early.outlive(Duration.ofMillis(afterMillis));
        }
    }
}
