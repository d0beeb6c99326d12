package io.parterre.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.chaos.client.Account;
import io.parterre.chaos.client.LargeEntities;
import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.Fault;
import io.parterre.chaos.fault.FaultPlan;
import io.parterre.chaos.fault.Nemesis;
import io.parterre.chaos.process.RangeView;
import io.parterre.chaos.workload.Registers;
import io.parterre.chaos.workload.TableTurnover;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.local.LocalClusterPlan;
import io.parterre.deploy.node.RoleName;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything at once, for as long as {@code -Dparterre.chaos.seconds} says: one account merges into
 * large entities, scans all it has, hoards connections and creates and deletes tables, while ranges
 * are split and merged and servers and managers are killed and paused. The tenants of another
 * account see no failed call, nothing they were acknowledged is lost, no read goes back, and every
 * process that was not killed lives at the end.
 */
@Course
class HostileNeighboursIT {
    private static final Logger LOG = LoggerFactory.getLogger(HostileNeighboursIT.class);

    private static final Duration TIME =
            Duration.ofSeconds(Integer.getInteger("parterre.chaos.seconds", 600));

    private static final Account GREEDY =
            new Account(
                    "greedy",
                    Base64.getEncoder()
                            .encodeToString("key of greedy".getBytes(StandardCharsets.UTF_8)));

    private static final int WRITERS = 4;
    private static final int MERGERS = 3;
    private static final int SCANNERS = 4;
    private static final int RANGES_MAX = 8;

    // Of each front end.
    private static final int IDLE = 1_500;
    private static final int HEADERS = 300;
    private static final int READERS = 100;

    private final AtomicBoolean stopping = new AtomicBoolean();
    private final AtomicLong merges = new AtomicLong();
    private final AtomicLong scans = new AtomicLong();
    private final Map<Fault.Target, Integer> faults = new EnumMap<>(Fault.Target.class);

    @Test
    void tenantsSeeNoFailedCall_whileNeighboursAndFaultsDoTheirWorst() throws Exception {
        LocalClusterPlan plan = LocalClusterPlan.of(3, 2).withJvmOptions(List.of("-Xmx512m"));
        ExecutorService attackers = Executors.newCachedThreadPool();
        try (ClusterRun run = ClusterRun.start("hostile-neighbours", plan)) {
            SplittableRandom random = run.random();
            List<TableConnection> connections = run.followingConnections();
            Writers writers = new Writers("Behaving", WRITERS, random.nextLong(), ClusterRun.PACE);
            Registers registers = new Registers("Registers");
            TableTurnover turnover = new TableTurnover(random.nextLong());
            connections.get(0).createTable(writers.table());
            connections.get(0).createTable(registers.table());
            writers.start(connections);
            registers.start(connections);
            writers.awaitAcknowledged(200);

            List<URI> greedy = greedyEndpoints(run);
            List<Hoarders> hoarders = new ArrayList<>();
            try {
                attack(attackers, greedy, turnover);
                for (URI endpoint : greedy) {
                    hoarders.add(hoard(endpoint));
                }
                doFaults(run, new FaultPlan(random.split()), writers);
            } finally {
                for (Hoarders each : hoarders) {
                    each.close();
                }
                stopping.set(true);
            }
            turnover.stop();
            attackers.shutdown();
            assertThat(attackers.awaitTermination(5, TimeUnit.MINUTES)).isTrue();
            writers.stop();
            registers.stop();
            LOG.info(
                    "hostile neighbours: {} s, faults {}, {} merges, {} scans, {} lives of tables;"
                            + " tenants: {} writes, {} register writes, {} reads, {} failed, {}"
                            + " unanswered",
                    TIME.toSeconds(),
                    faults,
                    merges,
                    scans,
                    turnover.lives(),
                    writers.acknowledged(),
                    registers.writes(),
                    registers.reads(),
                    writers.failed() + registers.failed(),
                    writers.unanswered() + registers.unanswered());
            for (RoleName role : RoleName.values()) {
                for (String name : run.cluster().names(role)) {
                    assertThat(run.cluster().isGone(name))
                            .as(name + run.cluster().endOfLogs())
                            .isFalse();
                }
            }
            run.assertNone(
                    new Verification(run.connections().get(0), writers).ofEverything(),
                    "in the end");
            run.assertNone(registers.violations(), "in the end");
            run.assertNoFailedCall(writers, registers);
        } finally {
            stopping.set(true);
            attackers.shutdownNow();
        }
    }

    private static List<URI> greedyEndpoints(ClusterRun run) {
        run.cluster()
                .operator()
                .ask("account", "create", GREEDY.name(), "--key", GREEDY.keyBase64());
        return run.cluster().tableEndpoints().stream()
                .map(
                        endpoint ->
                                URI.create(
                                        "http://" + endpoint.getAuthority() + "/" + GREEDY.name()))
                .toList();
    }

    /** Each goes on whatever comes of its calls. */
    private void attack(ExecutorService attackers, List<URI> greedy, TableTurnover turnover) {
        TableConnection connection = new TableConnection(greedy, GREEDY, Duration.ofSeconds(45));
        LargeEntities large = new LargeEntities("Large", "p");
        // Front ends hear of the account within a second or so.
        Awaitility.await()
                .atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(
                        () -> {
                            connection.createTable(large.table());
                            return true;
                        });
        large.insert(connection);
        for (int i = 0; i < MERGERS; i++) {
            again(attackers, () -> large.mergeAll(connection, merges.incrementAndGet()));
        }
        for (int i = 0; i < SCANNERS; i++) {
            again(
                    attackers,
                    () -> {
                        scans.incrementAndGet();
                        connection.scan(large.table(), entity -> {});
                    });
        }
        turnover.start(connection);
    }

    private void again(ExecutorService attackers, Runnable call) {
        attackers.submit(
                () -> {
                    while (!stopping.get()) {
                        try {
                            call.run();
                        } catch (RuntimeException refused) {
                            LOG.trace("an attacker is refused", refused);
                        }
                    }
                });
    }

    private static Hoarders hoard(URI greedy) throws Exception {
        Hoarders hoarders = new Hoarders(greedy);
        hoarders.add("127.0.0.2", READERS, 1, HoardingClientsIT.pages(greedy, GREEDY, "Large"));
        hoarders.add("127.0.0.3", HEADERS, 4_096, HoardingClientsIT.endlessHeader());
        hoarders.add("127.0.0.4", IDLE, 1, new byte[0]);
        hoarders.start();
        return hoarders;
    }

    /** One after the other, of servers and managers, and changes of ranges between them. */
    private void doFaults(ClusterRun run, FaultPlan plan, Writers writers) {
        Nemesis nemesis = new Nemesis(run.cluster(), writers.pulse());
        SplittableRandom random = run.random();
        long begunNanos = System.nanoTime();
        while (System.nanoTime() - begunNanos < TIME.toNanos()) {
            Fault fault = plan.next();
            if (fault.target() == Fault.Target.FRONT_END) {
                continue;
            }
            changeRanges(run, random);
            writers.awaitAcknowledged(fault.writesBefore());
            Nemesis.Outcome outcome = nemesis.run(fault);
            faults.merge(fault.target(), 1, Integer::sum);
            LOG.info(
                    "fault={} node={} recoveryMillis={} failed={} first={}",
                    fault,
                    outcome.node(),
                    outcome.recovery().toMillis(),
                    writers.failed(),
                    writers.failures().stream().limit(3).toList());
            assertThat(writers.areWorking())
                    .as("seed %s %s", run.seed(), writers.failures())
                    .isTrue();
        }
    }

    /** A split where the leader likes, or a merge; refused ones are no matter. */
    private static void changeRanges(ClusterRun run, SplittableRandom random) {
        List<RangeView> ranges = run.cluster().operator().ranges();
        int at = random.nextInt(ranges.size());
        String range = Long.toString(ranges.get(at).id());
        if (ranges.size() < 2 || ranges.size() < RANGES_MAX && random.nextBoolean()) {
            run.cluster().operator().tryAsk("split", range);
        } else {
            run.cluster().operator().tryAsk("merge", range);
        }
    }
}
