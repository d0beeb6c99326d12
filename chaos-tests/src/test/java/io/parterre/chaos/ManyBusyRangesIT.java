package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.RangeView;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.node.RoleName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server of the shipped heap leads a hundred ranges, and all of them are written to: large
 * entries, of which the logs cache some, and then small ones, of which each has a record. The
 * server stays up, no call fails, and a tenant that behaves notices nothing.
 */
@Course
@Timeout(1_200)
class ManyBusyRangesIT {
    private static final Logger LOG = LoggerFactory.getLogger(ManyBusyRangesIT.class);
    private static final String TABLE = "Busy";

    /** Two for each range. */
    private static final int PARTITIONS = 200;

    /** Ranges are made in two rounds of so many parts. */
    private static final int PARTS = 10;

    private static final int RANGES = PARTS * PARTS;
    private static final int CLIENTS = 16;

    /** A hundred kilobytes each: 12 MiB for each range, 1.2 GB in all. */
    private static final int LARGE_BATCHES =
            Integer.getInteger("parterre.chaos.batches", 65) * PARTITIONS;

    private static final int SMALL_INSERTS =
            Integer.getInteger("parterre.chaos.inserts", 500) * PARTITIONS;

    private static final int BATCH = 100;

    /** Its text is among the longest of all, and among the shortest. */
    private static final long BULKY = 29;

    private static final long SMALL = 0;

    /** The records of a heap of 512 MiB, and what is not durable or not worth to be dropped. */
    private static final double LOG_ENTRIES_MAX = 1_000_000;

    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(5);

    private final AtomicInteger numbers = new AtomicInteger();

    @Test
    void serverKeepsItsHeap_whileHundredRangesAreWritten() throws Exception {
        LocalClusterPlan plan = new LocalClusterPlan(1, 1, 1, 1, List.of("-Xmx512m"), Map.of());
        try (ClusterRun run = ClusterRun.start("many-busy-ranges", plan)) {
            String server = run.cluster().names(RoleName.PARTITION_SERVER).get(0);
            TableConnection connection = run.connections().get(0);
            connection.createTable(TABLE);
            writeAll(connection, PARTITIONS, ManyBusyRangesIT::large);
            divide(run);
            connection.createTable("Good");
            SteadyTenant tenant = new SteadyTenant(connection, "Good");
            tenant.during(Duration.ofSeconds(10));
            SteadyTenant.Course before = tenant.during(Duration.ofSeconds(20));

            writeAll(connection, LARGE_BATCHES, ManyBusyRangesIT::large);
            writeAll(connection, SMALL_INSERTS, ManyBusyRangesIT::small);
            SteadyTenant.Course after = tenant.during(Duration.ofSeconds(20));

            double logEntries = run.cluster().metric(server, "partition_server_log_entries");
            LOG.info(
                    "{} ranges, {} large batches, {} small inserts: {} log entries retained,"
                            + " longest collection {} s; a tenant before: {}; after: {}",
                    RANGES,
                    LARGE_BATCHES,
                    SMALL_INSERTS,
                    logEntries,
                    run.cluster().metric(server, "jvm_gc_pause_seconds_max"),
                    before,
                    after);
            assertThat(run.cluster().isGone(server)).as(run.cluster()::endOfLogs).isFalse();
            assertThat(after.errors()).isEmpty();
            assertThat(logEntries).isPositive().isLessThan(LOG_ENTRIES_MAX);

            // A start reads the logs again.
            run.cluster().kill(server);
            run.cluster().launch(List.of(server));
            Awaitility.await()
                    .atMost(SETTLED_WITHIN)
                    .until(
                            () -> {
                                assertThat(run.cluster().isGone(server))
                                        .as(run.cluster()::endOfLogs)
                                        .isFalse();
                                return run.cluster().operator().ranges().stream()
                                        .allMatch(RangeView::isAtRest);
                            });
            for (int i = 0; i < PARTITIONS; i++) {
                int number = i;
                Awaitility.await()
                        .atMost(SETTLED_WITHIN)
                        .until(
                                () ->
                                        tryWrite(connection, number, ManyBusyRangesIT::fresh)
                                                instanceof Answer.Acknowledged);
            }
        }
    }

    private static void divide(ClusterRun run) {
        for (int ranges = 1; ranges < RANGES; ranges *= PARTS) {
            for (RangeView range : run.cluster().operator().ranges()) {
                run.cluster()
                        .operator()
                        .ask("split", Long.toString(range.id()), "--parts", "" + PARTS);
            }
            Awaitility.await()
                    .atMost(SETTLED_WITHIN)
                    .until(
                            () ->
                                    run.cluster().operator().ranges().stream()
                                            .allMatch(RangeView::isAtRest));
        }
        assertThat(run.cluster().operator().ranges()).hasSizeGreaterThanOrEqualTo(RANGES);
    }

    private static List<Change> large(int number) {
        List<Change> changes = new ArrayList<>();
        for (int row = 0; row < BATCH; row++) {
            changes.add(new Change.Insert("r" + number + "-" + row, BULKY));
        }
        return changes;
    }

    /** One that is not there, however often this was tried. */
    private static List<Change> fresh(int number) {
        return List.of(new Change.Insert("f" + number + "-" + System.nanoTime(), SMALL));
    }

    private static List<Change> small(int number) {
        return List.of(new Change.Insert("r" + number, SMALL));
    }

    /** So many writes, to all partitions in turn. */
    private void writeAll(TableConnection connection, int count, IntFunction<List<Change>> changes)
            throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        AtomicInteger left = new AtomicInteger(count);
        try {
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                ends.add(
                        clients.submit(
                                () -> {
                                    while (left.getAndDecrement() > 0) {
                                        write(connection, changes);
                                    }
                                }));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    private void write(TableConnection connection, IntFunction<List<Change>> changes) {
        int number = numbers.getAndIncrement();
        assertThat(tryWrite(connection, number, changes)).isInstanceOf(Answer.Acknowledged.class);
    }

    private static Answer tryWrite(
            TableConnection connection, int number, IntFunction<List<Change>> changes) {
        List<Change> all = changes.apply(number);
        String partition = String.format("p%03d", number % PARTITIONS);
        return connection.write(TABLE, new Write(partition, all, all.size() > 1));
    }
}
