package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.Change;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.client.Write;
import io.parterre.chaos.process.RangeView;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.key.AccountId;
import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.ObjectId;
import io.parterre.key.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Much comes and goes: tables are created, written and deleted, ranges are split and made one
 * again, and one sender after the other writes once and is never heard of again. What a cluster of
 * one process a role remembers of it is the same after the last tenth as after the first: heap,
 * rows of the ranges' own, files, bytes on disk, and the time that a start takes.
 *
 * <p>Three kinds of rows may grow, and are counted apart. A range keeps a fence for each table that
 * was deleted in it, for ten minutes and more. It keeps outcomes of a minute that their senders
 * never call settled. It keeps the floors of up to 10,000 senders, and besides of all that were
 * heard of within 11 minutes. The times are those of the range's log, which stands still while
 * nothing is written.
 */
@Course
@Timeout(value = 24, unit = java.util.concurrent.TimeUnit.HOURS)
class TurnoverIT {
    private static final Logger LOG = LoggerFactory.getLogger(TurnoverIT.class);
    private static final int TENTHS = 10;
    private static final int TABLES = Integer.getInteger("parterre.chaos.tables", 10_000);
    private static final int SPLITS = Integer.getInteger("parterre.chaos.splits", 100);
    private static final int SENDERS = Integer.getInteger("parterre.chaos.senders", 5_000);
    private static final int CLIENTS = 8;
    private static final long SMALL = 0;
    private static final Duration CHANGED_WITHIN = Duration.ofMinutes(3);
    private static final Duration SENDERS_HEARD_OF = Duration.ofMinutes(11);
    private static final int SENDERS_MAX = 10_000;

    /** A minute, and what it takes to measure. */
    private static final Duration OUTCOMES_KEPT = Duration.ofMinutes(3);

    /** Heap of a fence: in what applies, and in what reads. */
    private static final long FENCE_HEAP_BYTES = 400;

    /** Of a log entry that is retained; they are bounded by part of the heap. */
    private static final long LOG_ENTRY_HEAP_BYTES = 200;

    private static final long MIB = 1 << 20;

    private final AtomicInteger tables = new AtomicInteger();
    private final List<Long> sendersNanos = new ArrayList<>();
    private int splits;

    @Test
    void heapAndDiskStayFlat_whileTablesRangesAndSendersComeAndGo() throws Exception {
        // The writer that never comes back has no certificate.
        LocalClusterPlan plan =
                new LocalClusterPlan(1, 1, 1, 1, List.of("-Xmx512m"), Map.of()).inPlainText();
        try (ClusterRun run = ClusterRun.start("turnover", plan)) {
            run.cluster().operator().setPolicy(List.of("split.enabled=false"));
            Footprint afterFirst = null;
            Footprint afterSecond = null;
            Footprint afterLast = null;
            for (int tenth = 1; tenth <= TENTHS; tenth++) {
                long begunNanos = System.nanoTime();
                turnOver(run);
                Footprint found = Footprint.of(run.cluster());
                LOG.info(
                        "tenth={} tables={} splits={} senders={} took={} s {}",
                        tenth,
                        tables.get(),
                        splits,
                        sendersNanos.size(),
                        Duration.ofNanos(System.nanoTime() - begunNanos).toSeconds(),
                        found);
                if (tenth == 1) {
                    afterFirst = found.withStart(run.cluster());
                } else if (tenth == 2) {
                    // From here on the processes are not started again.
                    afterSecond = found;
                } else if (tenth == TENTHS) {
                    afterLast = found.withStart(run.cluster());
                }
            }
            LOG.info(
                    "start took {} after the first, {} after the last tenth",
                    afterFirst.start(),
                    afterLast.start());
            assertFlat(run, afterFirst, afterSecond, afterLast);
        }
    }

    private void assertFlat(ClusterRun run, Footprint first, Footprint second, Footprint last) {
        long knownBytes =
                FENCE_HEAP_BYTES * (last.ownRows('F') - second.ownRows('F'))
                        + LOG_ENTRY_HEAP_BYTES * (last.logEntries() - second.logEntries());
        last.heapBytes()
                .forEach(
                        (name, bytes) ->
                                assertThat(bytes)
                                        .as("heap of %s", name)
                                        .isLessThan(
                                                second.heapBytes().get(name) * 13 / 10
                                                        + 16 * MIB
                                                        + knownBytes));
        assertThat(last.ownRows('F')).as("fences").isLessThanOrEqualTo(tables.get());
        assertThat(last.ownRows('S'))
                .as("senders")
                .isLessThanOrEqualTo(SENDERS_MAX + sendersWithin(SENDERS_HEARD_OF) + 10);
        assertThat(last.ownRows('O'))
                .as("log entries with outcomes")
                .isLessThanOrEqualTo(sendersWithin(OUTCOMES_KEPT) + 100);
        assertThat(last.otherOwnRows())
                .as("own rows but fences, outcomes and senders")
                .isLessThanOrEqualTo(2 * first.otherOwnRows() + 100);
        assertThat(last.files()).as("files").isLessThanOrEqualTo(2 * first.files() + 50);
        assertThat(last.diskBytes())
                .as("bytes on disk")
                .isLessThanOrEqualTo(2 * first.diskBytes() + 64 * MIB);
        assertThat(last.start())
                .as("start")
                .isLessThan(first.start().multipliedBy(3).plusSeconds(10));
        run.cluster().awaitHealthy();
    }

    private long sendersWithin(Duration time) {
        long nowNanos = System.nanoTime();
        return sendersNanos.stream().filter(nanos -> nowNanos - nanos < time.toNanos()).count();
    }

    private void turnOver(ClusterRun run) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        TableConnection connection = run.connections().get(0);
        try {
            AtomicInteger left = new AtomicInteger(TABLES / TENTHS);
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                ends.add(
                        clients.submit(
                                () -> {
                                    while (left.getAndDecrement() > 0) {
                                        live(connection, "Life" + tables.incrementAndGet());
                                    }
                                }));
            }
            for (int i = 0; i < SPLITS / TENTHS; i++) {
                splitAndMerge(run);
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            clients.shutdownNow();
        }
        try (StrayWriter writer = StrayWriter.of(run.cluster().operator())) {
            for (int i = 0; i < SENDERS / TENTHS; i++) {
                writer.write();
                sendersNanos.add(System.nanoTime());
            }
        }
    }

    private static void live(TableConnection connection, String table) {
        connection.createTable(table);
        List<Change> entity = List.of(new Change.Insert("1", SMALL));
        assertThat(connection.write(table, new Write("p", entity, false)))
                .isInstanceOf(Answer.Acknowledged.class);
        assertThat(connection.deleteTable(table)).isInstanceOf(Answer.Acknowledged.class);
    }

    private void splitAndMerge(ClusterRun run) {
        splits++;
        RangeView whole = run.cluster().operator().ranges().get(0);
        // Among the tables, so that most of what a range remembers goes to either side.
        Key splitPoint =
                KeyCodec.partition(
                        Scope.ofTable(new AccountId(1), new ObjectId(100 + splits % 1_000)), "m");
        ask(
                run,
                2,
                "split",
                Long.toString(whole.id()),
                "--at",
                HexFormat.of().formatHex(splitPoint.toBytes()));
        List<RangeView> parts = run.cluster().operator().ranges();
        ask(run, 1, "merge", Long.toString(parts.get(0).id()), Long.toString(parts.get(1).id()));
    }

    private static void ask(ClusterRun run, int ranges, String... command) {
        run.cluster().operator().ask(command);
        await(String.join(" ", command))
                .atMost(CHANGED_WITHIN)
                .until(
                        () -> run.cluster().operator().tryRanges().orElse(List.of()),
                        now -> now.size() == ranges && now.stream().allMatch(RangeView::isAtRest));
    }
}
