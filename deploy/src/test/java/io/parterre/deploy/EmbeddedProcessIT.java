package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

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
    void ackedWritesSurvive_whenProcessIsKilled() throws Exception {
        ConcurrentLinkedQueue<String> acknowledged = new ConcurrentLinkedQueue<>();
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            TableCalls calls = TableCalls.development(process);
            assertThat(calls.createTable("People")).isEqualTo(201);
            List<Thread> writers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                writers.add(writeUntilItFails(calls, "w" + i, acknowledged));
            }
            await().atMost(Duration.ofSeconds(60)).until(() -> acknowledged.size() >= 400);
            process.kill().awaitExit();
            for (Thread writer : writers) {
                writer.join();
            }
        }
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            TableCalls calls = TableCalls.development(process);
            List<String> lost = new ArrayList<>();
            for (String rowKey : acknowledged) {
                if (calls.read("People", "p", rowKey).statusCode() != 200) {
                    lost.add(rowKey);
                }
            }
            assertThat(lost).isEmpty();
        }
    }

    /** Everybody knows the development account's key. */
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

    private static Thread writeUntilItFails(
            TableCalls calls, String name, ConcurrentLinkedQueue<String> acknowledged) {
        Thread writer =
                new Thread(
                        () -> {
                            try {
                                for (int i = 0; ; i++) {
                                    if (calls.insert("People", "p", name + "-" + i, "x") != 201) {
                                        return;
                                    }
                                    acknowledged.add(name + "-" + i);
                                }
                            } catch (IOException | InterruptedException killed) {
                                // What it waited for was not acknowledged.
                            }
                        });
        writer.start();
        return writer;
    }

    @Test
    void processExitsKeepingAckedWrites_whenDiskFails() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        String value = "x".repeat(30_000);
        try (ParterreProcess process =
                ParterreProcess.startWithFilesLimited(
                                folder, 3_000, ParterreProcess.embeddedArguments())
                        .awaitReady()) {
            TableCalls calls = TableCalls.development(process);
            assertThat(calls.createTable("People")).isEqualTo(201);
            try {
                for (int i = 0; i < 1_000 && process.isAlive(); i++) {
                    if (calls.insert("People", "p", "r" + i, value) == 201) {
                        acknowledged.add("r" + i);
                    }
                }
            } catch (IOException ended) {
                // The process ended before it could answer.
            }
            assertThat(process.awaitExit()).isEqualTo(ExitCode.STORE_FAILED.code());
            assertThat(process.err()).contains("ERROR").contains("process ends exitCode=6");
        }
        assertThat(acknowledged).hasSizeBetween(10, 999);
        try (ParterreProcess process = ParterreProcess.embedded(folder).awaitReady()) {
            TableCalls calls = TableCalls.development(process);
            List<String> lost = new ArrayList<>();
            for (String rowKey : acknowledged) {
                if (calls.read("People", "p", rowKey).statusCode() != 200) {
                    lost.add(rowKey);
                }
            }
            assertThat(lost).isEmpty();
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

    @Test
    void startFailsNamingRaftAddress_whenItIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                ParterreProcess process =
                        ParterreProcess.embedded(
                                folder, "--set", "manager.raft.port=" + taken.getLocalPort())) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
            assertThat(process.err())
                    .contains("parterre: cannot start: Failed to bind to address")
                    .contains(":" + taken.getLocalPort());
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startFailsNamingFlag_whenPortIsInUse() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String port = Integer.toString(taken.getLocalPort());
            for (String flag : List.of("--table-port", "--admin-port")) {
                try (ParterreProcess process = ParterreProcess.embedded(folder, flag, port)) {
                    assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
                    assertThat(process.err())
                            .contains(
                                    "parterre: cannot listen on 127.0.0.1:"
                                            + port
                                            + ": Address already in use; choose another with "
                                            + flag)
                            .doesNotContain("\tat ");
                    assertThat(process.out()).isEmpty();
                }
            }
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startFailsNamingHost_whenHostIsUnknown() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.embedded(folder, "--host", "no.such.host.invalid")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.ADDRESS_IN_USE.code());
            assertThat(process.err())
                    .contains("cannot listen on no.such.host.invalid:0: unknown host")
                    .contains("choose another with --host");
        }
    }

    @Test
    void startFailsNamingPid_whenDataFolderIsInUse() throws Exception {
        try (ParterreProcess first = ParterreProcess.embedded(folder).awaitReady();
                ParterreProcess second = ParterreProcess.embedded(folder)) {
            assertThat(second.awaitExit()).isEqualTo(ExitCode.DATA_DIR_IN_USE.code());
            assertThat(second.err()).contains("in use by another process, pid " + first.pid());
            assertThat(first.admin("/readyz").statusCode()).isEqualTo(200);
        }
    }

    @Test
    void startLeavesDataFolderUntouched_whenForeignOrNewer() throws Exception {
        Path data = Files.createDirectory(folder.resolve("parterre-data"));
        Path foreign = Files.writeString(data.resolve("thesis.txt"), "mine");
        try (ParterreProcess process = ParterreProcess.embedded(folder)) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
            assertThat(process.err()).contains("holds other things, as thesis.txt");
        }
        try (var files = Files.list(data)) {
            assertThat(files).containsExactly(foreign);
        }
        Files.delete(foreign);
        Files.writeString(data.resolve("parterre-data"), "format=99\n");
        try (ParterreProcess process = ParterreProcess.embedded(folder)) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.DATA_DIR_REFUSED.code());
            assertThat(process.err()).contains("has format 99, written by a newer release");
        }
        try (var files = Files.list(data)) {
            assertThat(files).containsExactly(data.resolve("parterre-data"));
        }
    }

    @Test
    void startListsEveryProblem_whenConfigurationIsInvalid() throws Exception {
        Files.writeString(
                folder.resolve("parterre.yaml"),
                "server: {store: {blockCacheBytes: 1}}\nlog: {colour: red}\n");
        try (ParterreProcess process =
                ParterreProcess.start(
                        folder,
                        Map.of("PARTERRE_ADMIN_PORT", "high"),
                        "embedded",
                        "--set",
                        "frontEnd.http.port=-1")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.USAGE.code());
            assertThat(process.err())
                    .contains("server.store.blockCacheBytes: 1 (expected: >= 1048576)")
                    .contains("log.colour: unknown key")
                    .contains("admin.port: 'high' (expected: a whole number)")
                    .contains("frontEnd.http.port: -1 (expected: 0..65535) [flag --set]");
        }
        assertThat(folder.resolve("parterre-data")).doesNotExist();
    }

    @Test
    void startPrintsShortUsageHint_whenOptionIsUnknown() throws Exception {
        try (ParterreProcess process =
                ParterreProcess.start(folder, Map.of(), "embedded", "--prot", "1")) {
            assertThat(process.awaitExit()).isEqualTo(ExitCode.USAGE.code());
            assertThat(process.err())
                    .contains("Unknown option")
                    .contains("try 'parterre embedded --help'")
                    .doesNotContain("Usage: ");
        }
    }
}
