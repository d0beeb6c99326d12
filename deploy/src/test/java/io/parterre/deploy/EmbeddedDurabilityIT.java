package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What one process with all roles keeps, however it ends. */
@Timeout(240)
@Execution(ExecutionMode.CONCURRENT)
class EmbeddedDurabilityIT {
    @TempDir private Path folder;

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

    /** What storage and Raft need is not for connections to take. */
    @Test
    void writesContinue_whenClientsWantMoreHandlesThanThereAre() throws Exception {
        List<Socket> crowd = new ArrayList<>();
        try (ParterreProcess process =
                ParterreProcess.startWithHandlesLimited(
                                folder, 256, ParterreProcess.embeddedArguments())
                        .awaitReady()) {
            assertThat(process.err()).contains("handles limit=256");
            URI tables = URI.create(process.tables());
            TableCalls calls = TableCalls.development(process);
            assertThat(calls.createTable("People")).isEqualTo(201);
            for (int i = 0; i < 600; i++) {
                crowd.add(new Socket(tables.getHost(), tables.getPort()));
            }
            for (int i = 0; i < 50; i++) {
                assertThat(calls.insert("People", "p", "r" + i, "x".repeat(30_000))).isEqualTo(201);
            }
            assertThat(process.isAlive()).isTrue();
            assertThat(process.terminate().awaitExit()).isZero();
        } finally {
            for (Socket each : crowd) {
                each.close();
            }
        }
    }
}
