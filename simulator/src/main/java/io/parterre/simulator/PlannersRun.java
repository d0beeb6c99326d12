package io.parterre.simulator;

import com.sun.management.ThreadMXBean;
import io.parterre.manager.lead.QuotaShares;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.decide.LeadershipAsked;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.decide.UnsplittableRanges;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.QuotaPolicy;
import io.parterre.manager.plan.view.Census;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.OddRanges;
import io.parterre.manager.rpc.MapUpdates;
import io.parterre.manager.secret.KeyRing;
import io.parterre.proto.manager.MapUpdate;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * Measures the cost of one planning round and one refresh of a watcher on a map of any size. Times
 * are CPU times of the thread, the best of some rounds, because the machine may have other work.
 */
final class PlannersRun {
    private static final int REPLICAS = 3;
    private static final int ROUNDS = 5;

    /** Ranges that change between two rounds: as many as moves at once. */
    private static final int CHANGED = 16;

    private static final int MANY = 10_000;
    private static final int FEW = 10;
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final Random random;
    private final Policy policy;
    private final StillCluster cluster;
    private final OddRanges oddRanges = new OddRanges();

    private PlannersRun(Scenario scenario, long seed) {
        Scenario.Cluster shape = scenario.cluster();
        random = new Random(seed);
        policy = scenario.policy().policy();
        List<ClusterNode> nodes = SimMaps.nodes(shape.nodes(), shape.zones());
        cluster =
                new StillCluster(
                        SimMaps.of(
                                nodes, SimMaps.members(nodes, shape.ranges(), REPLICAS, random)));
        cluster.allReport(NOW);
    }

    static ScenarioOutcome run(Scenario scenario, long seed) {
        return ScenarioOutcome.of(
                scenario, List.of(), new PlannersRun(scenario, seed).measures(), Optional.empty());
    }

    private Map<Measure, Double> measures() {
        Map<Measure, Double> measures = new EnumMap<>(Measure.class);
        measures.put(Measure.RANGES, (double) cluster.map().ranges().size());
        measures.put(Measure.FIRST_ROUND_MILLIS, roundNanos() / NANOS_PER_MILLI);
        measures.put(Measure.ROUND_MILLIS, bestRoundMillis(() -> {}));
        ClusterNode lost = cluster.map().nodes().iterator().next();
        measures.put(
                Measure.ROUND_LOST_MILLIS,
                bestRoundMillis(() -> cluster.lastReport(lost, Instant.EPOCH)));
        refresh(measures);
        return measures;
    }

    /** Returns the best of some rounds. Between them, nodes report and some ranges change. */
    private double bestRoundMillis(Runnable before) {
        long best = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            cluster.change(CHANGED, random, NOW);
            cluster.allReport(NOW);
            before.run();
            best = Math.min(best, roundNanos());
        }
        return best / NANOS_PER_MILLI;
    }

    private long roundNanos() {
        ClusterView view = cluster.view(NOW, policy);
        long began = threads.getCurrentThreadCpuTime();
        Census census = Census.of(view, policy.replicas(), oddRanges);
        Planner.plan(view, policy, census, LeadershipAsked.NONE, UnsplittableRanges.NONE);
        ClusterHealth.of(view, census);
        return threads.getCurrentThreadCpuTime() - began;
    }

    /**
     * Changes ranges all over the map and measures the update for a watcher that had the whole map
     * before.
     */
    private void refresh(Map<Measure, Double> measures) {
        int many = Math.min(MANY, cluster.map().ranges().size());
        long best = Long.MAX_VALUE;
        for (int i = 0; i < ROUNDS; i++) {
            long began = threads.getCurrentThreadCpuTime();
            long bytes = refreshBytes(many);
            best = Math.min(best, threads.getCurrentThreadCpuTime() - began);
            measures.put(Measure.REFRESH_BYTES, (double) bytes / many);
        }
        measures.put(Measure.REFRESH_MICROS, best / NANOS_PER_MICRO / many);
        measures.put(Measure.REFRESH_FEW_BYTES, (double) refreshBytes(FEW));
    }

    private long refreshBytes(int changes) {
        ClusterMap map = cluster.map();
        ClusterMap changed = map;
        List<MapDelta> deltas = new ArrayList<>();
        long step = Math.max(1, map.ranges().size() / changes);
        for (int i = 0; i < changes; i++) {
            RangeDescriptor range = map.ranges().find(new RangeId(1 + i * step)).orElseThrow();
            MapApply.Applied applied =
                    MapApply.apply(
                            changed,
                            new MapCommand.UpdateRange(
                                    range.rangeId(),
                                    range.generation(),
                                    range.generation().next(),
                                    range.members()));
            changed = applied.map();
            applied.delta().ifPresent(deltas::add);
        }
        QuotaShares shares = new QuotaShares(QuotaPolicy.DEFAULT, 1);
        return new MapUpdates(KeyRing.NONE)
                .changes(changed, changed.version(), deltas, List.of(), shares).stream()
                        .mapToLong(MapUpdate::getSerializedSize)
                        .sum();
    }
}
