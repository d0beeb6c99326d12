package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Whom one process with all roles serves. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedAccountsIT {
    @TempDir private Path folder;

    @Test
    void developmentAccountIsRejected_whileAccountsAreConfigured() throws Exception {
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            assertThat(TableCalls.development(process).createTable("People")).isEqualTo(201);
            assertThat(process.terminate().awaitExit()).isZero();
        }
        try (ParterreProcess process =
                ParterreProcess.start(
                                folder,
                                Map.of("PARTERRE_ACCOUNTS", "mine:bXkga2V5"),
                                ParterreProcess.embeddedArguments())
                        .awaitReady()) {
            assertThat(TableCalls.development(process).createTable("Others")).isEqualTo(403);
            assertThat(new TableCalls(process.tables(), "mine", "bXkga2V5").createTable("Others"))
                    .isEqualTo(201);
            assertThat(process.terminate().awaitExit()).isZero();
        }
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            assertThat(TableCalls.development(process).createTable("People")).isEqualTo(409);
        }
    }

    @Test
    void onlyConfiguredAccountIsServed_withoutPrintingItsKey() throws Exception {
        String key = "c29tZSBzZWNyZXQga2V5";
        try (ParterreProcess process =
                ParterreProcess.start(
                                folder,
                                Map.of("PARTERRE_ACCOUNTS", "myaccount:" + key),
                                ParterreProcess.embeddedArguments())
                        .awaitReady()) {
            assertThat(new TableCalls(process.tables(), "myaccount", key).createTable("People"))
                    .isEqualTo(201);
            assertThat(TableCalls.development(process).createTable("People")).isEqualTo(403);
            assertThat(process.out()).contains("AccountName=myaccount").doesNotContain(key);
            assertThat(process.err()).doesNotContain(key);
        }
    }
}
