package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.ExitCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The system refuses to write more, in the middle of the work. */
@Timeout(300)
class FullDiskIT {
    private static final int WRITERS = 4;

    /** Below the size of a log segment, so that it is the log that cannot be written. */
    private static final long FILE_BYTES_MAX = 2 << 20;

    /** A segment is a 1,024th of it. */
    private static final String HEAP = "-Xmx4g";

    @Test
    void serverExitsWithoutDataLoss_whenLogCannotBeWritten() {
        ChaosRun run = ChaosRun.named("full-disk", HEAP);
        Writers writers = new Writers("Full", WRITERS, run.seed());
        try (ServerProcess server =
                ServerProcess.start(run.settings().withFileBytesMax(FILE_BYTES_MAX))) {
            run.connect().createTable(writers.table());
            writers.start(run.connect());
            assertThat(server.awaitExit())
                    .as(server::endOfLog)
                    .isEqualTo(ExitCode.STORE_FAILED.code());
            writers.awaitEnd();
        }
        assertThat(writers.acknowledged()).isPositive();
        try (ServerProcess again = ServerProcess.start(run.settings())) {
            run.assertNone(
                    new Verification(run.connect(), writers).ofEverything(),
                    "with space again",
                    again);
            run.connect().createTable("Later");
        }
    }
}
