package io.parterre.manager.plan;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.SplitReason;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges what operators ask about splits, without doing it. Stateless; safe for any thread. */
public final class SplitRequests {
    private SplitRequests() {}

    /**
     * Cuts a range in two.
     *
     * @param cut first key of the new range; empty: its leader chooses, by bytes
     * @param childLeader member that is to lead the new range; empty: whoever leads this one
     */
    public static Verdict split(
            ClusterView view, RangeId rangeId, Optional<Key> cut, Optional<NodeId> childLeader) {
        Optional<RangeDescriptor> known = view.map().ranges().find(rangeId);
        if (known.isEmpty()) {
            return new Verdict.NotFound("range " + rangeId + " does not exist");
        }
        RangeDescriptor range = known.get();
        if (cut.filter(key -> !isInside(range, key)).isPresent()) {
            return new Verdict.Invalid(
                    "cut: "
                            + cut.get()
                            + " (expected: after the range's first key "
                            + range.bounds().start()
                            + " and before "
                            + range.bounds().endExclusive()
                            + ")");
        }
        if (cut.filter(key -> !KeyCodec.isCut(key)).isPresent()) {
            return new Verdict.Invalid(
                    "cut: "
                            + cut.get()
                            + " (expected: the beginning of a partition, a table or an account)");
        }
        Optional<String> whyNot = whyNot(view, range, childLeader);
        if (whyNot.isPresent()) {
            return new Verdict.Refuse(whyNot.get());
        }
        List<String> effects = new ArrayList<>();
        effects.add(
                "range "
                        + rangeId
                        + " is cut "
                        + cut.map(key -> "at " + key)
                                .orElse("where half of its bytes lie on each side")
                        + ", a new range gets what lies behind");
        childLeader.ifPresent(node -> effects.add("node " + node + " is to lead the new range"));
        return new Verdict.Do(
                List.of(
                        new MapCommand.BeginSplit(
                                rangeId,
                                range.generation(),
                                cut,
                                childLeader,
                                SplitReason.OPERATOR,
                                view.now())),
                Optional.empty(),
                effects);
    }

    private static boolean isInside(RangeDescriptor range, Key cut) {
        return range.bounds().contains(cut) && !range.bounds().start().equals(cut);
    }

    private static Optional<String> whyNot(
            ClusterView view, RangeDescriptor range, Optional<NodeId> childLeader) {
        RangeId rangeId = range.rangeId();
        if (view.map().move(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being moved");
        }
        if (view.map().split(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being split already");
        }
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being merged");
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of("range " + rangeId + " is being founded");
        }
        if (view.leader(rangeId).isEmpty()) {
            return Optional.of("nobody leads range " + rangeId + " now");
        }
        int full = view.policy().replicasPerNodeMax();
        for (NodeId member : range.members()) {
            int held = view.map().ranges().onNode(member).size();
            if (held >= full) {
                return Optional.of(
                        "node "
                                + member
                                + " would get a replica of the new range and holds "
                                + held
                                + " already (limit: "
                                + full
                                + ")");
            }
        }
        Optional<NodeId> unknown = childLeader.filter(node -> view.map().node(node).isEmpty());
        if (unknown.isPresent()) {
            return unknown.map(node -> "node " + node + " does not exist");
        }
        return childLeader
                .filter(
                        node ->
                                !range.members().contains(node)
                                        || view.health(rangeId, node) != Health.HEALTHY
                                        || !view.takesMore(node))
                .map(node -> "node " + node + " cannot lead a part of range " + rangeId + " now");
    }
}
