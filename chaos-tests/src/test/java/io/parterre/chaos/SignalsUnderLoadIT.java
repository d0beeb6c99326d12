package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Orderly ends and pauses, in the middle of the work. */
@Timeout(300)
class SignalsUnderLoadIT {
    private static final int WRITERS = 4;

    @Test
    void ackedWritesSurvive_whenServerIsTerminatedUnderLoad() {
        ChaosRun run = ChaosRun.named("terminate");
        Writers writers = new Writers("Ended", WRITERS, run.seed());
        try (ServerProcess server = ServerProcess.start(run.settings())) {
            run.connect().createTable(writers.table());
            writers.start(run.connect());
            writers.awaitAcknowledged(150);
            server.terminate();
            writers.awaitEnd();
        }
        assertNothingLost(run, writers);
    }

    @Test
    void serverResumesWithoutLoss_afterPauseUnderLoad() {
        ChaosRun run = ChaosRun.named("pause");
        Writers writers = new Writers("Paused", WRITERS, run.seed());
        try (ServerProcess server = ServerProcess.start(run.settings())) {
            run.connect().createTable(writers.table());
            writers.start(run.connect());
            writers.awaitAcknowledged(150);
            server.pause();
            long atPause = writers.acknowledged();
            server.outlive(Duration.ofSeconds(3));
            assertThat(writers.acknowledged() - atPause)
                    .as("calls answered by a paused server: at most one a writer was on its way")
                    .isLessThanOrEqualTo(WRITERS);
            server.resume();
            writers.awaitAcknowledged(150);
            assertThat(writers.areWorking())
                    .as(() -> "a call went unanswered, seed " + run.seed() + server.endOfLog())
                    .isTrue();
            writers.stop();
            server.terminate();
        }
        assertNothingLost(run, writers);
    }

    private static void assertNothingLost(ChaosRun run, Writers writers) {
        try (ServerProcess again = ServerProcess.start(run.settings())) {
            run.assertNone(
                    new Verification(run.connect(), writers).ofEverything(),
                    "after restart",
                    again);
        }
    }
}
