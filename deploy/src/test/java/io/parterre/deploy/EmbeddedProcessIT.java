package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What one process with all roles serves, and what it prints. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedProcessIT {
    @TempDir private Path folder;

    @Test
    void embeddedServesTablesAndKeepsThem_afterCleanRestart() throws Exception {
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            assertThat(process.out().lines()).hasSize(1);
            assertThat(process.out()).contains("AccountKey=" + TableCalls.DEVELOPMENT_KEY);
            assertThat(process.admin("/readyz").statusCode()).isEqualTo(200);
            assertThat(process.admin("/healthz").statusCode()).isEqualTo(200);

            TableCalls calls = TableCalls.development(process);
            assertThat(calls.createTable("People")).isEqualTo(201);
            assertThat(calls.createTable("People")).isEqualTo(409);
            assertThat(calls.insert("People", "a", "1", "Ann")).isEqualTo(201);
            assertThat(calls.insert("People", "a", "1", "Bob")).isEqualTo(409);
            assertThat(process.admin("/metrics").body())
                    .contains("front_end_requests_total")
                    .contains("partition_server_apply_seconds_count")
                    .contains("partition_manager_leading 1.0")
                    .contains("jvm_memory_used_bytes");

            assertThat(process.terminate().awaitExit()).isZero();
            assertThat(process.err()).contains("ProcessLifetime stopped").doesNotContain("ERROR");
        }
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            HttpResponse<String> read = TableCalls.development(process).read("People", "a", "1");
            assertThat(read.statusCode()).isEqualTo(200);
            assertThat(read.body()).contains("\"Value\":\"Ann\"");
            assertThat(process.terminate().awaitExit()).isZero();
        }
    }

    @Test
    void logLinesAreJsonObjects_whenLogFormatIsJson() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.embedded(folder, "--set", "log.format=json").awaitReady()) {
            assertThat(process.terminate().awaitExit()).isZero();
            List<String> lines = process.err().lines().toList();
            assertThat(lines).hasSizeGreaterThan(3);
            for (String line : lines) {
                JsonNode event = new ObjectMapper().readTree(line);
                assertThat(event.path("level").asText()).isNotEmpty();
                assertThat(event.path("message").asText()).isNotEmpty();
            }
            JsonNode first = new ObjectMapper().readTree(lines.get(0));
            assertThat(first.path("message").asText()).startsWith("parterre starts version=");
            assertThat(first.path("pid").asLong()).isEqualTo(process.pid());
            assertThat(first.path("dataDir").asText())
                    .isEqualTo(folder.toRealPath().resolve("parterre-data").toString());
        }
    }

    @Test
    void checkFlagReportsReadyAndExits() throws Exception {
        try (ParterreProcess process = ParterreProcess.embedded(folder, "--check")) {
            assertThat(process.awaitExit()).isZero();
            assertThat(process.out()).startsWith("parterre is ready: tables http://127.0.0.1:");
        }
        // What it held is free again.
        try (ParterreProcess process = ParterreProcess.embedded(folder, "--check")) {
            assertThat(process.awaitExit()).isZero();
        }
    }
}
