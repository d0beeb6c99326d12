package io.parterre.manager.plan.request;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Refusal;
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
     * @param childLeader member that is to lead the new range; empty: the leader of this one
     */
    public static Verdict split(
            ClusterView view,
            RangeId rangeId,
            Optional<Key> cut,
            Optional<NodeId> childLeader,
            int wantedParts) {
        int parts = wantedParts == 0 ? 2 : wantedParts;
        if (parts < 2 || parts > Split.PARTS_MAX) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.PARTS, parts, Split.PARTS_MAX));
        }
        if (parts > 2 && (cut.isPresent() || childLeader.isPresent())) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.PARTS_WITH_CUT, parts));
        }
        Optional<RangeDescriptor> known = view.map().ranges().find(rangeId);
        if (known.isEmpty()) {
            return new Verdict.NotFound(Refusal.of(Refusal.Code.RANGE_DOES_NOT_EXIST, rangeId));
        }
        RangeDescriptor range = known.get();
        if (cut.filter(key -> !isInside(range, key)).isPresent()) {
            return new Verdict.Invalid(
                    Refusal.of(
                            Refusal.Code.CUT_OUTSIDE,
                            cut.get(),
                            range.bounds().start(),
                            range.bounds().endExclusive()));
        }
        if (cut.filter(key -> !KeyCodec.isCut(key)).isPresent()) {
            return new Verdict.Invalid(Refusal.of(Refusal.Code.CUT_WITHIN_PARTITION, cut.get()));
        }
        Optional<Refusal> whyNot = whyNot(view, range, childLeader, parts - 1);
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

    private static Optional<Refusal> whyNot(
            ClusterView view, RangeDescriptor range, Optional<NodeId> childLeader, int children) {
        RangeId rangeId = range.rangeId();
        if (view.map().move(rangeId).isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_MOVED, rangeId));
        }
        if (view.map().split(rangeId).isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_SPLIT_ALREADY, rangeId));
        }
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_MERGED, rangeId));
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_FOUNDED, rangeId));
        }
        if (view.leader(rangeId).isEmpty()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_HAS_NO_LEADER, rangeId));
        }
        int full = view.policy().replicasPerNodeMax();
        Ledger ledger = new Ledger(view, view.policy());
        for (NodeId member : range.members()) {
            int held = ledger.replicas(member);
            if (held + children > full) {
                return Optional.of(
                        children == 1
                                ? Refusal.of(
                                        Refusal.Code.NODE_IS_FULL_FOR_CHILD, member, held, full)
                                : Refusal.of(
                                        Refusal.Code.NODE_IS_FULL_FOR_CHILDREN,
                                        member,
                                        children,
                                        held,
                                        full));
            }
        }
        Optional<NodeId> unknown = childLeader.filter(node -> view.map().node(node).isEmpty());
        if (unknown.isPresent()) {
            return unknown.map(node -> Refusal.of(Refusal.Code.NODE_DOES_NOT_EXIST, node));
        }
        return childLeader
                .filter(
                        node ->
                                !range.members().contains(node)
                                        || view.health(rangeId, node) != Health.HEALTHY
                                        || !view.takesMore(node))
                .map(node -> Refusal.of(Refusal.Code.NODE_CANNOT_LEAD_CHILD, node, rangeId));
    }
}
