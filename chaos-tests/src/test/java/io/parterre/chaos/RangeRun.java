package io.parterre.chaos;

import static org.awaitility.Awaitility.await;

import io.parterre.chaos.client.TableConnection;
import io.parterre.chaos.fault.RangeChange;
import io.parterre.chaos.fault.RangeNemesis;
import io.parterre.chaos.process.ClusterProcesses;
import io.parterre.chaos.process.Operator;
import io.parterre.chaos.process.RangeView;
import io.parterre.chaos.process.SettingsLine;
import io.parterre.chaos.workload.Verification;
import io.parterre.chaos.workload.Writers;
import io.parterre.deploy.local.LocalClusterPlan;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** A cluster whose table is in several ranges, and writers that use it. For one thread. */
record RangeRun(ClusterRun cluster, SplittableRandom random, Writers writers, RangeNemesis nemesis)
        implements AutoCloseable {
    private static final int WRITERS = 4;
    private static final int WRITES_BEFORE_THE_FIRST_SPLIT_POINT = 150;

    /** Many enough that most have neighbours on both sides, and few for eight small processes. */
    private static final int RANGES_MAX = 8;

    private static final Duration WRITES_GO_ON_WITHIN = Duration.ofSeconds(60);

    static RangeRun start(String name, SettingsLine... settings) {
        LocalClusterPlan plan =
                LocalClusterPlan.of(3, 2).withJvmOptions(List.of(ClusterProcesses.CRASH_ORDERS));
        ClusterRun cluster = ClusterRun.start(name, plan, settings);
        try {
            SplittableRandom random = cluster.random();
            Writers writers = new Writers("Ranges", WRITERS, random.nextLong(), ClusterRun.PACE);
            RangeNemesis nemesis =
                    new RangeNemesis(cluster.cluster().operator(), random.split(), RANGES_MAX);
            cluster.connections().get(0).createTable(writers.table());
            RangeRun run = new RangeRun(cluster, random, writers, nemesis);
            writers.start(cluster.connections());
            writers.awaitAcknowledged(WRITES_BEFORE_THE_FIRST_SPLIT_POINT);
            nemesis.splitInHalf();
            writers.stop();
            return run;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    Operator operator() {
        return cluster.cluster().operator();
    }

    List<TableConnection> connections() {
        return cluster.connections();
    }

    /** Asks for a change and waits for its end. Returns whether it has taken effect. */
    boolean change(RangeChange change) {
        nemesis.ask(change);
        return nemesis.awaitEnd(change);
    }

    RangeChange planSplit() {
        return nemesis.planSplit(writers.roster().partitions());
    }

    /** Two neighbours that become one; where all keys are of one range, it is split first. */
    RangeChange planMerge() {
        while (operator().ranges().size() < 2) {
            RangeChange split = planSplit();
            nemesis.ask(split);
            nemesis.awaitEnd(split);
        }
        return nemesis.planMerge();
    }

    /** The range that a change is asked for. */
    RangeView range(RangeChange change) {
        return operator().ranges().stream()
                .filter(range -> range.id() == change.rangeId())
                .findFirst()
                .orElseThrow();
    }

    /** Waits until a write is acknowledged that was begun from now on. */
    Duration awaitRecovery(String after) {
        writers.pulse().watchFrom(System.nanoTime());
        return await("a write acknowledged after " + after)
                .atMost(WRITES_GO_ON_WITHIN)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(10))
                .until(writers.pulse()::recovery, java.util.Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until some time has gone by: when a fault comes is part of it. */
    static void awaitMillis(long millis) {
        long begunNanos = System.nanoTime();
        await("the moment of a fault")
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> System.nanoTime() - begunNanos >= millis * 1_000_000);
    }

    /** Ends the writers, and holds what is there against what they were told. */
    void verify(String when) {
        writers.stop();
        cluster.assertNoFailedCall(writers);
        cluster.assertNone(new Verification(connections().get(0), writers).ofEverything(), when);
    }

    @Override
    public void close() {
        cluster.close();
    }
}
