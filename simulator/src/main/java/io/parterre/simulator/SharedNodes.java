package io.parterre.simulator;

import io.parterre.manager.map.RangeTable;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which nodes share ranges, and how many losses of nodes stop or lose a range, if ranges have three
 * members. Counted, not sampled.
 *
 * @param sets members of ranges, each set once
 * @param pairs two members of one range, each pair once
 * @param nodes of the cluster
 */
record SharedNodes(Set<Set<NodeId>> sets, Set<Set<NodeId>> pairs, int nodes) {
    private static final int THREE = 3;
    private static final double PERMILLE = 1e3;
    private static final double PER_MILLION = 1e6;

    static SharedNodes of(RangeTable ranges, int nodes) {
        Set<Set<NodeId>> sets = new HashSet<>();
        Set<Set<NodeId>> pairs = new HashSet<>();
        for (RangeDescriptor range : ranges.inKeyOrder()) {
            if (sets.add(Set.copyOf(range.members()))) {
                for (NodeId one : range.members()) {
                    for (NodeId other : range.members()) {
                        if (one.compareTo(other) < 0) {
                            pairs.add(Set.of(one, other));
                        }
                    }
                }
            }
        }
        return new SharedNodes(sets, pairs, nodes);
    }

    void measure(Map<Measure, Double> measures) {
        double n = nodes;
        double three = sets.stream().filter(set -> set.size() == THREE).count();
        measures.put(Measure.MEMBER_SETS, (double) sets.size());
        measures.put(Measure.SHARED_WITH, 2 * pairs.size() / Math.max(1, n));
        // A range of three is unavailable without two of its members, and lost without all three.
        measures.put(
                Measure.STOPPED_BY_TWO, PERMILLE * pairs.size() / Math.max(1, n * (n - 1) / 2));
        measures.put(
                Measure.LOST_BY_THREE,
                PER_MILLION * three / Math.max(1, n * (n - 1) * (n - 2) / (2 * THREE)));
    }
}
