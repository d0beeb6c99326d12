package io.parterre.simulator;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Past splits and merges, from which a replica learns when its log reaches them. */
final class SimHistory {
    /** A range that was split when its log reached this generation. */
    private record PastSplit(Generation generation, RangeId child) {}

    /** A range that was absorbed when the other one's log reached this generation. */
    record Absorbed(RangeId left, Generation generation, RangeId right) {}

    private final Map<RangeId, List<PastSplit>> splits = new HashMap<>();
    private final Map<RangeId, List<Absorbed>> absorbed = new HashMap<>();
    private final Map<RangeId, Absorbed> byRight = new HashMap<>();

    void splitTookEffect(RangeId parent, Generation generation, RangeId child) {
        splits.computeIfAbsent(parent, id -> new ArrayList<>())
                .add(new PastSplit(generation, child));
    }

    void absorbed(RangeId left, Generation generation, RangeId right) {
        Absorbed one = new Absorbed(left, generation, right);
        absorbed.computeIfAbsent(left, id -> new ArrayList<>()).add(one);
        byRight.put(right, one);
    }

    /** Returns how the range was absorbed; empty if it was not. */
    Optional<Absorbed> end(RangeId right) {
        return Optional.ofNullable(byRight.get(right));
    }

    /** Returns whether the node holds a replica of a range that this one has absorbed. */
    boolean holdsAbsorbed(SimNode node, RangeId left) {
        return absorbed.getOrDefault(left, List.of()).stream()
                .anyMatch(each -> node.replicas.containsKey(each.right()));
    }

    /** Gives a joining replica the present data, which includes all absorbed ranges. */
    void copies(SimNode target, RangeId rangeId, Generation generation) {
        SimReplica replica = target.replicas.get(rangeId);
        replica.joining = false;
        replica.generation = generation;
        for (Absorbed each : absorbed.getOrDefault(rangeId, List.of())) {
            target.replicas.remove(each.right());
        }
        target.changed = true;
    }

    /**
     * Advances the replica's log to this generation, with all splits and merges before it.
     *
     * @param whole if true, by log entries; else perhaps by a copy, which creates no children
     */
    void takes(
            SimNode node,
            RangeId parent,
            Generation generation,
            List<NodeId> members,
            boolean whole,
            Random random,
            long second) {
        SimReplica replica = node.replicas.get(parent);
        for (PastSplit split : splits.getOrDefault(parent, List.of())) {
            boolean passed =
                    replica.generation.compareTo(split.generation()) < 0
                            && split.generation().compareTo(generation) <= 0;
            if (passed && (whole || random.nextBoolean())) {
                node.replicas.putIfAbsent(
                        split.child(), new SimReplica(split.generation(), members, false, second));
            }
        }
        for (Absorbed each : absorbed.getOrDefault(parent, List.of())) {
            if (replica.generation.compareTo(each.generation()) < 0
                    && each.generation().compareTo(generation) <= 0) {
                node.replicas.remove(each.right());
            }
        }
        replica.generation = generation;
        replica.members = members;
        node.changed = true;
    }
}
