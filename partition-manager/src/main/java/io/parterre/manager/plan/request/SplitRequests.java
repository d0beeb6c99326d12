package io.parterre.manager.plan.request;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.decide.Ledger;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
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
     * Cuts a range.
     *
     * @param wantedParts of about as many bytes each; 0: two
     * @param cut first key of the new range; empty: its leader chooses, by bytes
     * @param childLeader member that is to lead the new range; empty: whoever leads this one
     */
    public static Verdict split(
            ClusterView view,
            RangeId rangeId,
            Optional<Key> cut,
            Optional<NodeId> childLeader,
            int wantedParts) {
        int parts = wantedParts == 0 ? 2 : wantedParts;
        if (parts < 2 || parts > Split.PARTS_MAX) {
            return new Verdict.Invalid(
                    "parts: " + parts + " (expected: 2.." + Split.PARTS_MAX + ")");
        }
        if (parts > 2 && (cut.isPresent() || childLeader.isPresent())) {
            return new Verdict.Invalid(
                    "parts: "
                            + parts
                            + " (expected: 2 with a cut, or with a leader of the new range)");
        }
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
        Optional<String> whyNot = whyNot(view, range, childLeader, parts - 1);
        if (whyNot.isPresent()) {
            return new Verdict.Refuse(whyNot.get());
        }
        List<String> effects = new ArrayList<>();
        effects.add("range " + rangeId + " is cut " + how(cut, parts));
        childLeader.ifPresent(node -> effects.add("node " + node + " is to lead the new range"));
        return new Verdict.Do(
                List.of(
                        new MapCommand.BeginSplit(
                                rangeId,
                                range.generation(),
                                cut,
                                childLeader,
                                SplitReason.OPERATOR,
                                view.now(),
                                parts)),
                Optional.empty(),
                effects);
    }

    private static String how(Optional<Key> cut, int parts) {
        return parts > 2
                ? "in "
                        + parts
                        + " of about as many bytes, or in fewer if large partitions are in the way; "
                        + (parts - 1)
                        + " new ranges get what lies behind the first cut"
                : cut.map(key -> "at " + key).orElse("where half of its bytes lie on each side")
                        + ", a new range gets what lies behind";
    }

    private static boolean isInside(RangeDescriptor range, Key cut) {
        return range.bounds().contains(cut) && !range.bounds().start().equals(cut);
    }

    private static Optional<String> whyNot(
            ClusterView view, RangeDescriptor range, Optional<NodeId> childLeader, int children) {
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
            return Optional.of("range " + rangeId + " has no leader now");
        }
        int full = view.policy().replicasPerNodeMax();
        Ledger ledger = new Ledger(view, view.policy());
        for (NodeId member : range.members()) {
            int held = ledger.replicas(member);
            if (held + children > full) {
                return Optional.of(
                        "node "
                                + member
                                + (children == 1
                                        ? " would get a replica of the new range and holds "
                                        : " would get replicas of "
                                                + children
                                                + " new ranges and holds ")
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
