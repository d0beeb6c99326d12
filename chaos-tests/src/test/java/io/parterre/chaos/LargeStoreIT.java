package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.EntityId;
import io.parterre.chaos.client.StoredEntity;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.ServerProcess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A store that is loaded, killed and started again has everything, and is soon there. {@code
 * -Dparterre.chaos.rows=4000000} makes it one of 2 GB, as clients count them; then it is also held
 * to a memory well below.
 */
@Course
class LargeStoreIT {
    private static final int ROWS = Integer.getInteger("parterre.chaos.rows", 200_000);
    private static final int PARTITIONS = 20;
    private static final int BATCH_SIZE = 100;
    private static final int LOADERS = 4;
    private static final int POINT_READS = 1_000;
    private static final Duration START_WITHIN = Duration.ofSeconds(60);

    /** Below it, the virtual machine itself outweighs the data. */
    private static final int ROWS_WEIGHED_MIN = 4_000_000;

    private static final long DATA_BYTES_PER_ROW = 500;
    private static final String TABLE = "Large";

    private final ChaosRun run = ChaosRun.named("large-store");

    @Test
    void f070StoreHasAllRows_afterLoadKillAndRestart()
            throws InterruptedException, ExecutionException {
        ServerProcess server = ServerProcess.start(run.settings());
        try {
            run.connect().createTable(TABLE);
            load();
            server.kill();

            long startNanos = System.nanoTime();
            server = ServerProcess.start(run.settings());
            assertThat(Duration.ofNanos(System.nanoTime() - startNanos)).isLessThan(START_WITHIN);

            TableConnection connection = run.connect();
            SplittableRandom random = run.random();
            for (int i = 0; i < POINT_READS; i++) {
                int number = random.nextInt(ROWS);
                StoredEntity entity = connection.read(TABLE, id(number)).orElseThrow();
                assertThat(entity.value())
                        .as("row %s, seed %s", number, run.seed())
                        .isEqualTo(number);
                assertThat(entity.intact()).as(entity.toString()).isTrue();
            }
            List<Long> scanned = new ArrayList<>();
            connection.scanPartition(
                    TABLE, id(0).partition(), entity -> scanned.add(entity.value()));
            assertThat(scanned)
                    .isEqualTo(
                            IntStream.range(0, ROWS)
                                    .filter(i -> id(i).partition().equals(id(0).partition()))
                                    .mapToObj(i -> (long) i)
                                    .toList());
            if (ROWS >= ROWS_WEIGHED_MIN) {
                assertThat(server.residentBytes()).isLessThan(ROWS * DATA_BYTES_PER_ROW * 3 / 4);
            }
        } finally {
            server.close();
        }
    }

    private void load() throws InterruptedException, ExecutionException {
        AtomicInteger nextBatch = new AtomicInteger();
        ExecutorService loaders = Executors.newFixedThreadPool(LOADERS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int loader = 0; loader < LOADERS; loader++) {
                TableConnection connection = run.connect();
                ends.add(loaders.submit(() -> load(connection, nextBatch)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            loaders.shutdownNow();
        }
    }

    private static void load(TableConnection connection, AtomicInteger nextBatch) {
        for (int batch = nextBatch.getAndIncrement();
                batch < ROWS / BATCH_SIZE;
                batch = nextBatch.getAndIncrement()) {
            int first = batch * BATCH_SIZE;
            List<Change> inserts =
                    IntStream.range(first, first + BATCH_SIZE)
                            .<Change>mapToObj(i -> new Change.Insert(id(i).row(), i))
                            .toList();
            Answer answer =
                    connection.write(TABLE, new Write(id(first).partition(), inserts, true));
            assertThat(answer).isInstanceOf(Answer.Acknowledged.class);
        }
    }

    private static EntityId id(int number) {
        return new EntityId(
                "p" + number / BATCH_SIZE % PARTITIONS,
                String.format(Locale.ROOT, "r%09d", number));
    }
}
