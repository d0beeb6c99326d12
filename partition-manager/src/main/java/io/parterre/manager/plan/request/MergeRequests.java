package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.plan.decide.MergeCandidate;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Judges operators' requests about merges, without carrying them out. Stateless and thread-safe.
 */
public final class MergeRequests {
    private MergeRequests() {}

    /**
     * Judges a request to merge two neighbours.
     *
     * @param rightId begins where the left range ends; empty for the right neighbour
     */
    public static Verdict merge(ClusterView view, RangeId leftId, Optional<RangeId> rightId) {
        Optional<RangeDescriptor> left = view.map().ranges().find(leftId);
        if (left.isEmpty()) {
            return notFound(leftId);
        }
        if (rightId.isPresent() && view.map().ranges().find(rightId.get()).isEmpty()) {
            return notFound(rightId.get());
        }
        Optional<RangeDescriptor> right = view.map().ranges().rightOf(left.get());
        if (right.isEmpty() && rightId.isEmpty()) {
            return new Verdict.Invalid(ReasonCode.RANGE_IS_LAST.of(leftId));
        }
        if (rightId.filter(id -> !right.map(RangeDescriptor::rangeId).equals(Optional.of(id)))
                .isPresent()) {
            return new Verdict.Invalid(
                    ReasonCode.RIGHT_IS_NO_NEIGHBOUR.of(
                            rightId.get(),
                            right.map(each -> each.rangeId() + ", which begins").orElse("none"),
                            leftId));
        }
        return whyNot(view, left.get(), right.get())
                .<Verdict>map(Verdict.Refuse::new)
                .orElseGet(() -> merge(view, left.get(), right.get()));
    }

    private static Verdict notFound(RangeId rangeId) {
        return new Verdict.NotFound(ReasonCode.RANGE_DOES_NOT_EXIST.of(rangeId));
    }

    private static Verdict merge(ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        List<Reason> effects = new ArrayList<>();
        for (NodeId node : MergeCandidate.without(left, right)) {
            effects.add(ReasonCode.RANGE_GETS_REPLICA.of(right.rangeId(), node));
        }
        for (NodeId node : MergeCandidate.without(right, left)) {
            effects.add(ReasonCode.RANGE_LOSES_REPLICA.of(right.rangeId(), node));
        }
        NodeId leader = view.leader(left.rangeId()).orElseThrow();
        if (view.leader(right.rangeId()).filter(leader::equals).isEmpty()) {
            effects.add(ReasonCode.NODE_IS_TO_LEAD.of(leader, right.rangeId()));
        }
        effects.add(ReasonCode.RANGE_GETS_KEYS.of(left.rangeId(), right.rangeId()));
        return new Verdict.Do(
                List.of(
                        new MapCommand.BeginMerge(
                                new Merge(
                                        left.rangeId(),
                                        right.rangeId(),
                                        left.generation(),
                                        right.generation(),
                                        MergeReason.OPERATOR,
                                        view.now()))),
                Optional.empty(),
                effects);
    }

    private static Optional<Reason> whyNot(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        return whyNot(view, left)
                .or(() -> whyNot(view, right))
                .or(() -> whyNoTarget(view, left, right));
    }

    private static Optional<Reason> whyNot(ClusterView view, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_MERGED_ALREADY.of(rangeId));
        }
        if (view.map().recovery(rangeId).isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_RECOVERED.of(rangeId));
        }
        if (view.map().isChanging(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_MOVED_OR_SPLIT.of(rangeId));
        }
        if (!view.map().isConfirmed(rangeId)) {
            return Optional.of(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
        }
        Optional<NodeReport.Replica> leading = view.leading(rangeId);
        if (leading.isEmpty()) {
            return Optional.of(ReasonCode.RANGE_HAS_NO_LEADER.of(rangeId));
        }
        if (leading.get().frozenFor().isPresent()) {
            return Optional.of(ReasonCode.RANGE_IS_FROZEN.of(rangeId));
        }
        int wanted = view.policy().replicas();
        if (range.members().size() != wanted || view.healthy(range) < wanted) {
            return Optional.of(
                    ReasonCode.MEMBERS_UNHEALTHY.of(view.healthy(range), wanted, rangeId));
        }
        return range.members().stream()
                .filter(node -> !view.takesMore(node))
                .findFirst()
                .map(node -> ReasonCode.NODE_TAKES_NO_MORE.of(node, rangeId));
    }

    private static Optional<Reason> whyNoTarget(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        int full = view.policy().replicasPerNodeMax();
        for (NodeId node : MergeCandidate.without(left, right)) {
            int held = view.map().ranges().onNode(node).size();
            if (held >= full) {
                return Optional.of(ReasonCode.NODE_IS_FULL.of(node, held));
            }
        }
        return Optional.empty();
    }
}
