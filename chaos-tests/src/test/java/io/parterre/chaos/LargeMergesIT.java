package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.Answer;
import io.parterre.chaos.client.LargeEntities;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.process.RangeView;
import io.parterre.chaos.process.ServerProcess;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.node.RoleName;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches of some twenty kilobytes, each of which writes a hundred megabytes, to several ranges of
 * one server at once. With the heap that the distribution has, the server stays up; a table in a
 * range of its own is served without an error; and a start on the same folder has everything.
 */
@Course
class LargeMergesIT {
    private static final Logger LOG = LoggerFactory.getLogger(LargeMergesIT.class);
    private static final int TABLES = Integer.getInteger("parterre.chaos.tables", 5);

    /** Of each table. */
    private static final int CLIENTS = Integer.getInteger("parterre.chaos.clients", 48);

    private static final int BATCHES = Integer.getInteger("parterre.chaos.batches", 3);
    private static final int OTHERS = 2;
    private static final int STARTS_MAX = 6;

    /** Well beyond what a front end waits for a range. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration SETTLED_WITHIN = Duration.ofMinutes(20);

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();

    private static LargeEntities entities(int table) {
        return new LargeEntities("Large" + table, "p");
    }

    @Test
    void serverStaysUpAndServesOthers_whileSmallBatchesMakeMuch() throws Exception {
        LocalClusterPlan plan = new LocalClusterPlan(1, 1, 1, 1, List.of("-Xmx512m"), Map.of());
        try (ClusterRun run = ClusterRun.start("large-merges", plan)) {
            String server = run.cluster().names(RoleName.PARTITION_SERVER).get(0);
            TableConnection connection = run.connections().get(0);
            Writers others =
                    new Writers("Others", OTHERS, run.random().nextLong(), ClusterRun.PACE);
            for (int table = 0; table < TABLES; table++) {
                connection.createTable(entities(table).table());
                entities(table).insert(connection);
            }
            connection.createTable(others.table());
            others.start(connection);
            others.awaitAcknowledged(200);
            divide(run);
            long before = others.acknowledged();

            long beganNanos = System.nanoTime();
            attack(run.cluster().tableEndpoints().get(0));
            LOG.info(
                    "{} batches acknowledged, {} not, in {} ms; {} waits of {} s in all; others: {}"
                            + " acknowledged meanwhile, {} failed, {} unanswered",
                    acknowledged,
                    refused,
                    (System.nanoTime() - beganNanos) / 1_000_000,
                    run.cluster().metric(server, "partition_server_apply_wait_seconds_count"),
                    run.cluster().metric(server, "partition_server_apply_wait_seconds_sum"),
                    others.acknowledged() - before,
                    others.failed(),
                    others.unanswered());
            others.awaitAcknowledged(10);
            others.stop();
            assertThat(run.cluster().isGone(server)).as(run.cluster()::endOfLogs).isFalse();
            run.assertNoFailedCall(others);

            // What is in the log and not applied yet is applied then, which takes as long as it
            // takes.
            run.cluster().kill(server);
            run.cluster().launch(List.of(server));
            URI endpoint = run.cluster().tableEndpoints().get(0);
            awaitWhole(endpoint, () -> !run.cluster().isGone(server), run.cluster()::endOfLogs);
            run.assertNone(
                    new Verification(connection(endpoint), others).ofEverything(), "started again");
        }
    }

    /** Where all is in one range, and whatever is sent meanwhile waits. */
    @Test
    void embeddedServerStaysUp_whileSmallBatchesMakeMuch() throws Exception {
        ChaosRun run = ChaosRun.named("large-merges-embedded", "-Xmx512m");
        URI endpoint = run.settings().tableEndpoint();
        try (ServerProcess server = ServerProcess.start(run.settings())) {
            for (int table = 0; table < TABLES; table++) {
                run.connect().createTable(entities(table).table());
                entities(table).insert(run.connect());
            }
            attack(endpoint);
            LOG.info("embedded: {} batches acknowledged, {} not", acknowledged, refused);
            assertThat(server.isAlive()).as(server::endOfLog).isTrue();
            server.kill();
        }
        // One that does not serve within its patience ends; the next goes on from where it was.
        boolean served = false;
        for (int start = 0; !served && start < STARTS_MAX; start++) {
            try (ServerProcess again = ServerProcess.launch(run.settings())) {
                served = serves(again, endpoint);
                assertThat(again.endOfLog()).doesNotContain("OutOfMemoryError");
                if (served) {
                    awaitWhole(endpoint, again::isAlive, again::endOfLog);
                }
            }
        }
        assertThat(served).isTrue();
    }

    private boolean serves(ServerProcess server, URI endpoint) {
        TableConnection connection = connection(endpoint);
        AtomicBoolean served = new AtomicBoolean();
        Awaitility.await()
                .atMost(SETTLED_WITHIN)
                .until(
                        () -> {
                            served.set(
                                    entities(0).mergeAll(connection, numbers.incrementAndGet())
                                            instanceof Answer.Acknowledged);
                            return served.get() || !server.isAlive();
                        });
        return served.get();
    }

    /** A batch is whole, also of what is applied only after a start. */
    private void awaitWhole(URI endpoint, BooleanSupplier isAlive, Supplier<String> log) {
        TableConnection connection = connection(endpoint);
        for (int table = 0; table < TABLES; table++) {
            LargeEntities entities = entities(table);
            Awaitility.await()
                    .atMost(SETTLED_WITHIN)
                    .until(
                            () -> {
                                assertThat(isAlive.getAsBoolean()).as(log).isTrue();
                                return entities.mergeAll(connection, numbers.incrementAndGet())
                                        instanceof Answer.Acknowledged;
                            });
            assertThat(new HashSet<>(entities.values(connection))).hasSize(1);
        }
    }

    /** As often as it can be: partitions stay whole, and the large ones are cut off first. */
    private static void divide(ClusterRun run) {
        for (int round = 0; round < 4; round++) {
            for (RangeView range : run.cluster().operator().ranges()) {
                run.cluster().operator().tryAsk("split", Long.toString(range.id()));
            }
            Awaitility.await()
                    .atMost(SETTLED_WITHIN)
                    .until(
                            () ->
                                    run.cluster().operator().ranges().stream()
                                            .allMatch(RangeView::isAtRest));
        }
        assertThat(run.cluster().operator().ranges()).hasSizeGreaterThan(TABLES);
    }

    private static TableConnection connection(URI endpoint) {
        return new TableConnection(endpoint, Account.development(), PATIENCE);
    }

    private void attack(URI endpoint) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(TABLES * CLIENTS);
        try {
            List<Future<?>> ends = new ArrayList<>();
            TableConnection connection = connection(endpoint);
            for (int i = 0; i < TABLES * CLIENTS; i++) {
                LargeEntities entities = entities(i % TABLES);
                ends.add(clients.submit(() -> merge(connection, entities)));
            }
            for (Future<?> end : ends) {
                end.get();
            }
        } finally {
            clients.shutdownNow();
        }
    }

    /** The server may say that it is busy, or that it cannot tell by now. */
    private void merge(TableConnection connection, LargeEntities entities) {
        for (int batch = 0; batch < BATCHES; batch++) {
            Answer answer = entities.mergeAll(connection, numbers.incrementAndGet());
            if (answer instanceof Answer.Acknowledged) {
                acknowledged.incrementAndGet();
            } else {
                refused.incrementAndGet();
            }
        }
    }
}
