package io.parterre.manager.plan.request;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.decide.Ledger;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges operators' requests about splits, without carrying them out. Stateless and thread-safe.
 */
public final class SplitRequests {
    private SplitRequests() {}

    /**
     * Judges a request to split a range.
     *
     * @param wantedParts parts of about the same size; 0 means two
     * @param splitPoint first key of the new range; empty if the leader chooses, by bytes
     * @param childLeader member that is to lead the new range; empty for the leader of this one
     */
    public static Verdict split(
            ClusterView view,
            RangeId rangeId,
            Optional<Key> splitPoint,
            Optional<NodeId> childLeader,
            int wantedParts) {
        int parts = wantedParts == 0 ? 2 : wantedParts;
        if (parts < 2 || parts > Split.PARTS_MAX) {
            return new Verdict.Invalid(ReasonCode.PARTS.of(parts, Split.PARTS_MAX));
        }
        if (parts > 2 && (splitPoint.isPresent() || childLeader.isPresent())) {
            return new Verdict.Invalid(ReasonCode.PARTS_WITH_SPLIT_POINT.of(parts));
        }
        Optional<RangeDescriptor> known = view.map().ranges().find(rangeId);
        if (known.isEmpty()) {
            return new Verdict.NotFound(ReasonCode.RANGE_DOES_NOT_EXIST.of(rangeId));
        }
        RangeDescriptor range = known.get();
        if (splitPoint.filter(key -> !isInside(range, key)).isPresent()) {
            return new Verdict.Invalid(
                    ReasonCode.SPLIT_POINT_OUTSIDE.of(
                            splitPoint.get(),
                            range.bounds().start(),
                            range.bounds().endExclusive()));
        }
        if (splitPoint.filter(key -> !KeyCodec.isSplitPoint(key)).isPresent()) {
            return new Verdict.Invalid(
                    ReasonCode.SPLIT_POINT_WITHIN_PARTITION.of(splitPoint.get()));
        }
        Optional<Reason> whyNot = whyNot(view, range, childLeader, parts - 1);
        if (whyNot.isPresent()) {
            return new Verdict.Refuse(whyNot.get());
        }
        List<Reason> effects = new ArrayList<>();
        effects.add(how(rangeId, splitPoint, parts));
        childLeader.ifPresent(node -> effects.add(ReasonCode.NODE_LEADS_NEW_RANGE.of(node)));
        return new Verdict.Do(
                List.of(
                        new MapCommand.BeginSplit(
                                rangeId,
                                range.generation(),
                                splitPoint,
                                childLeader,
                                SplitReason.OPERATOR,
                                view.now(),
                                parts)),
                Optional.empty(),
                effects);
    }

    private static Reason how(RangeId rangeId, Optional<Key> splitPoint, int parts) {
        return parts > 2
                ? ReasonCode.RANGE_IS_SPLIT_IN.of(rangeId, parts, parts - 1)
                : splitPoint
                        .map(key -> ReasonCode.RANGE_IS_SPLIT_AT.of(rangeId, key))
                        .orElseGet(() -> ReasonCode.RANGE_IS_HALVED.of(rangeId));
    }

    private static boolean isInside(RangeDescriptor range, Key splitPoint) {
        return range.bounds().contains(splitPoint) && !range.bounds().start().equals(splitPoint);
    }

    private static Optional<Reason> whyNot(
            ClusterView view, RangeDescriptor range, Optional<NodeId> childLeader, int children) {
        RangeId rangeId = range.rangeId();
        if (view.map().move(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_MOVED.of(rangeId));
        }
        if (view.map().split(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_SPLIT_ALREADY.of(rangeId));
        }
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_MERGED.of(rangeId));
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
        }
        if (view.leader(rangeId).isEmpty()) {
            return Optional.of(ReasonCode.RANGE_HAS_NO_LEADER.of(rangeId));
        }
        int full = view.policy().replicasPerNodeMax();
        Ledger ledger = new Ledger(view, view.policy());
        for (NodeId member : range.members()) {
            int held = ledger.replicas(member);
            if (held + children > full) {
                return Optional.of(
                        children == 1
                                ? ReasonCode.NODE_IS_FULL_FOR_CHILD.of(member, held, full)
                                : ReasonCode.NODE_IS_FULL_FOR_CHILDREN.of(
                                        member, children, held, full));
            }
        }
        Optional<NodeId> unknown = childLeader.filter(node -> view.map().node(node).isEmpty());
        if (unknown.isPresent()) {
            return unknown.map(node -> ReasonCode.NODE_DOES_NOT_EXIST.of(node));
        }
        return childLeader
                .filter(
                        node ->
                                !range.members().contains(node)
                                        || view.health(rangeId, node) != Health.HEALTHY
                                        || !view.takesMore(node))
                .map(node -> ReasonCode.NODE_CANNOT_LEAD_CHILD.of(node, rangeId));
    }
}
