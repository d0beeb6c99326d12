package io.parterre.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A container's limit, without the container. */
@Tag("long")
@Timeout(600)
class MemoryLimitIT {
    /** The least that the launcher accepts. */
    private static final int LIMIT_MEBIBYTES = 512;

    private static final int HEAP_MEBIBYTES = 128;
    private static final int CLIENTS = 16;
    private static final int INSERTS = 200;
    private static final int INSERTS_BETWEEN_PAGES = 10;

    /** Stored as so many bytes; a page has a hundred and more of them. */
    private static final String VALUE = "x".repeat(30_000);

    @TempDir private Path folder;

    @Test
    void processIsNotKilled_whenLoadedAtItsMemoryLimit() throws Exception {
        Optional<MemoryCgroup> made =
                MemoryCgroup.create("parterre-" + ProcessHandle.current().pid(), LIMIT_MEBIBYTES);
        Assumptions.assumeTrue(made.isPresent(), "cannot make a cgroup with a memory limit");
        try (MemoryCgroup cgroup = made.get()) {
            try (ParterreProcess process =
                    ParterreProcess.startIn(
                                    cgroup, folder, Map.of(), ParterreProcess.embeddedArguments())
                            .awaitReady()) {
                assertThat(heapBytesMax(process)).isBetween(1.0, (double) (HEAP_MEBIBYTES << 20));
                load(process);
                assertThat(cgroup.killed()).isZero();
                assertThat(process.terminate().awaitExit()).isZero();
            }
        }
    }

    private static double heapBytesMax(ParterreProcess process) throws Exception {
        return process.admin("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("jvm_memory_max_bytes{area=\"heap\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** Writes and pages of four mebibytes at the same time; refusals are an answer as well. */
    private static void load(ParterreProcess process) throws Exception {
        assertThat(TableCalls.development(process).createTable("Load")).isEqualTo(201);
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                String partition = "p" + i;
                running.add(
                        clients.submit(
                                () -> {
                                    client(TableCalls.development(process), partition);
                                    return null;
                                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private static void client(TableCalls calls, String partition) throws Exception {
        for (int row = 0; row < INSERTS; row++) {
            assertThat(calls.insert("Load", partition, "r" + row, VALUE)).isIn(201, 500, 503);
            if (row % INSERTS_BETWEEN_PAGES == 0) {
                assertThat(calls.query("Load", "$top=1000").statusCode()).isIn(200, 500, 503);
            }
        }
    }
}
