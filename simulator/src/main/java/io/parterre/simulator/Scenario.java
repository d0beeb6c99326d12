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
 * A cluster, what happens to it, and what has to come of that. All that is random in it follows
 * from a seed.
 *
 * @param about a sentence for people
 * @param seconds how long it is watched, in simulated time
 * @param settledSeconds the last part of it, in which nothing is to be changed any more
 * @param network as it is by default, if it is not said
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
     * What there is at the beginning. Each range has one table, and three members, as spread as
     * zones allow.
     *
     * @param bytesPerRange of each, whichever way it was split; 0: it is empty
     * @param bearsPerNode operations a second; more is too much for a node. 0: anything goes
     * @param noisePercent numbers that leaders report are wrong by so much at most
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
     * What differs from the policy that clusters have by default; 0: nothing.
     *
     * @param split whether ranges are split for their load
     * @param merge whether quiet neighbours become one
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
            SplitPolicy splitPoint = base.split();
            MergePolicy join = base.merge();
            return base.withMoves(
                            or(movesMax, base.movesMax()),
                            or(movesPerNodeMax, base.movesPerNodeMax()))
                    .withReplicasPerNodeMax(or(replicasPerNodeMax, base.replicasPerNodeMax()))
                    .withSplit(
                            new SplitPolicy(
                                    split,
                                    or(operationsPerSecondMax, splitPoint.operationsPerSecondMax()),
                                    splitPoint.cpuPermilleMax(),
                                    splitPoint.bytesMax(),
                                    splitPoint.observeFor(),
                                    splitPoint.splitsMax()))
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

    /** Bounds of a measure, both included; a missing one is none. */
    public record Bound(Double atLeast, Double atMost) {
        boolean holds(double value) {
            return (atLeast == null || value >= atLeast) && (atMost == null || value <= atMost);
        }

        /** In words. */
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

    /** Whether only the map and the planners are measured, since nothing runs. */
    public boolean isOfPlannersOnly() {
        return seconds == 0;
    }
}
