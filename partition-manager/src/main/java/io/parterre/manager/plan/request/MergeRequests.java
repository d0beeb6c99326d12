package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Refusal;
import io.parterre.manager.plan.decide.MergeCandidate;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Judges what operators ask about merges, without doing it. Stateless; safe for any thread. */
public final class MergeRequests {
    private MergeRequests() {}

    /**
     * Makes one range of two neighbours.
     *
     * @param rightId begins where the left one ends; empty: the range that does
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
            return new Verdict.Invalid(Refusal.of(Refusal.Code.RANGE_IS_LAST, leftId));
        }
        if (rightId.filter(id -> !right.map(RangeDescriptor::rangeId).equals(Optional.of(id)))
                .isPresent()) {
            return new Verdict.Invalid(
                    Refusal.of(
                            Refusal.Code.RIGHT_IS_NO_NEIGHBOUR,
                            rightId.get(),
                            right.map(each -> each.rangeId() + ", which begins").orElse("none"),
                            leftId));
        }
        return whyNot(view, left.get(), right.get())
                .<Verdict>map(Verdict.Refuse::new)
                .orElseGet(() -> merge(view, left.get(), right.get()));
    }

    private static Verdict notFound(RangeId rangeId) {
        return new Verdict.NotFound(Refusal.of(Refusal.Code.RANGE_DOES_NOT_EXIST, rangeId));
    }

    private static Verdict merge(ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        List<String> effects = new ArrayList<>();
        for (NodeId node : MergeCandidate.without(left, right)) {
            effects.add("range " + right.rangeId() + " gets a replica on node " + node);
        }
        for (NodeId node : MergeCandidate.without(right, left)) {
            effects.add("range " + right.rangeId() + " loses its replica on node " + node);
        }
        NodeId leader = view.leader(left.rangeId()).orElseThrow();
        if (view.leader(right.rangeId()).filter(leader::equals).isEmpty()) {
            effects.add("node " + leader + " is to lead range " + right.rangeId());
        }
        effects.add(
                "range "
                        + left.rangeId()
                        + " gets the keys of range "
                        + right.rangeId()
                        + ", which no longer exists");
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

    private static Optional<Refusal> whyNot(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        return whyNot(view, left)
                .or(() -> whyNot(view, right))
                .or(() -> whyNoTarget(view, left, right));
    }

    private static Optional<Refusal> whyNot(ClusterView view, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_MERGED_ALREADY, rangeId));
        }
        if (view.map().isChanging(rangeId)) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_MOVED_OR_SPLIT, rangeId));
        }
        Optional<NodeReport.Replica> leading = view.leading(rangeId);
        if (leading.isEmpty()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_HAS_NO_LEADER, rangeId));
        }
        if (leading.get().frozenFor().isPresent()) {
            return Optional.of(Refusal.of(Refusal.Code.RANGE_IS_FROZEN, rangeId));
        }
        int wanted = view.policy().replicas();
        if (range.members().size() != wanted || view.healthy(range) < wanted) {
            return Optional.of(
                    Refusal.of(
                            Refusal.Code.MEMBERS_UNHEALTHY, view.healthy(range), wanted, rangeId));
        }
        return range.members().stream()
                .filter(node -> !view.takesMore(node))
                .findFirst()
                .map(node -> Refusal.of(Refusal.Code.NODE_GIVES_AWAY, node, rangeId));
    }

    private static Optional<Refusal> whyNoTarget(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        int full = view.policy().replicasPerNodeMax();
        for (NodeId node : MergeCandidate.without(left, right)) {
            int held = view.map().ranges().onNode(node).size();
            if (held >= full) {
                return Optional.of(Refusal.of(Refusal.Code.NODE_IS_FULL, node, held));
            }
        }
        return Optional.empty();
    }
}
