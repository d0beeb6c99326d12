package io.parterre.simulator;

import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.policy.MergePolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.SplitPolicy;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A cluster, events, and expected results. Everything random in a run follows from a seed.
 * Immutable.
 *
 * @param about a sentence for people
 * @param seconds duration of the run, in simulated time
 * @param settledSeconds the last part of the run, in which nothing should change any more
 * @param network the default if missing
 * @param expect bounds by measure
 */
public record Scenario(
        String about,
        int seconds,
        int settledSeconds,
        Cluster cluster,
        Aims policy,
        SimNetwork network,
        List<ScenarioEvent> events,
        Map<String, Bound> expect) {
    /**
     * The initial cluster. Each range has one table, and three members, spread over zones as well
     * as possible.
     *
     * @param bytesPerRange of each range, however it was split; 0: empty
     * @param bearsPerNode operations a second above which a node is overloaded; 0: no limit
     * @param noisePercent largest error of the figures that leaders report
     */
    public record Cluster(
            int nodes,
            int zones,
            int ranges,
            long bytesPerRange,
            double bearsPerNode,
            int noisePercent) {
        public Cluster {
            zones = Math.max(1, zones);
            if (nodes < 1 || ranges < 1) {
                throw new IllegalArgumentException(
                        "nodes, ranges: " + nodes + ", " + ranges + " (expected: positive)");
            }
        }
    }

    /**
     * Differences to the default policy; 0: none.
     *
     * @param split whether ranges are split for their load
     * @param merge whether quiet neighbours are merged
     * @param copysetNodesMin with fewer nodes, any may share ranges with any
     */
    public record Aims(
            boolean split,
            boolean merge,
            int movesMax,
            int movesPerNodeMax,
            int replicasPerNodeMax,
            int operationsPerSecondMax,
            int copysetNodesMin) {
        static final Aims DEFAULT = new Aims(false, false, 0, 0, 0, 0, 0);

        Policy policy() {
            Policy base = Policy.DEFAULT;
            SplitPolicy before = base.split();
            MergePolicy join = base.merge();
            return base.withMoves(
                            or(movesMax, base.movesMax()),
                            or(movesPerNodeMax, base.movesPerNodeMax()))
                    .withReplicasPerNodeMax(or(replicasPerNodeMax, base.replicasPerNodeMax()))
                    .withSplit(
                            new SplitPolicy(
                                    split,
                                    or(operationsPerSecondMax, before.operationsPerSecondMax()),
                                    before.cpuPermilleMax(),
                                    before.bytesMax(),
                                    before.observeFor(),
                                    before.splitsMax()))
                    .withMerge(
                            new MergePolicy(
                                    merge,
                                    join.ageMin(),
                                    join.mergesMax(),
                                    join.mergesPerNodeMax()))
                    .withCopysets(
                            new CopysetPolicy(
                                    or(copysetNodesMin, base.copysets().nodesMin()),
                                    base.copysets().rings()));
        }

        private static int or(int value, int other) {
            return value == 0 ? other : value;
        }
    }

    /** Bounds of a measure, both inclusive; null means no bound. */
    public record Bound(Double atLeast, Double atMost) {
        boolean holds(double value) {
            return (atLeast == null || value >= atLeast) && (atMost == null || value <= atMost);
        }

        /** Returns the bounds as text. */
        @Override
        public String toString() {
            String low = atLeast == null ? "" : "at least " + Measure.text(atLeast);
            String high = atMost == null ? "" : "at most " + Measure.text(atMost);
            return low + (low.isEmpty() || high.isEmpty() ? "" : ", ") + high;
        }
    }

    public Scenario {
        about = about == null ? "" : about;
        if (cluster == null) {
            throw new IllegalArgumentException("cluster: missing (expected: its nodes and ranges)");
        }
        policy = policy == null ? Aims.DEFAULT : policy;
        network = network == null ? SimNetwork.DEFAULT : network;
        events = events == null ? List.of() : List.copyOf(events);
        expect = expect == null ? Map.of() : Collections.unmodifiableMap(new TreeMap<>(expect));
        expect.keySet().forEach(Measure::of);
        if (seconds < 0 || settledSeconds < 0 || settledSeconds > seconds) {
            throw new IllegalArgumentException(
                    "settledSeconds: " + settledSeconds + " (expected: 0 to " + seconds + ")");
        }
    }

    /**
     * Returns whether only the map and the planners are measured, because the run has no duration.
     */
    public boolean isOfPlannersOnly() {
        return seconds == 0;
    }
}
