package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
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
     * @param rightId begins where the left one ends; empty: whichever does
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
            return new Verdict.Invalid("range " + leftId + " is the last one");
        }
        if (rightId.filter(id -> !right.map(RangeDescriptor::rangeId).equals(Optional.of(id)))
                .isPresent()) {
            return new Verdict.Invalid(
                    "right: "
                            + rightId.get()
                            + " (expected: "
                            + right.map(each -> each.rangeId() + ", which begins").orElse("none")
                            + " where range "
                            + leftId
                            + " ends)");
        }
        return whyNot(view, left.get(), right.get())
                .<Verdict>map(Verdict.Refuse::new)
                .orElseGet(() -> merge(view, left.get(), right.get()));
    }

    private static Verdict notFound(RangeId rangeId) {
        return new Verdict.NotFound("range " + rangeId + " does not exist");
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

    private static Optional<String> whyNot(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        return whyNot(view, left)
                .or(() -> whyNot(view, right))
                .or(() -> whyNoTarget(view, left, right));
    }

    private static Optional<String> whyNot(ClusterView view, RangeDescriptor range) {
        RangeId rangeId = range.rangeId();
        if (view.map().merge(rangeId).isPresent()) {
            return Optional.of("range " + rangeId + " is being merged already");
        }
        if (view.map().isChanging(rangeId)) {
            return Optional.of("range " + rangeId + " is being moved or split");
        }
        Optional<NodeReport.Replica> leading = view.leading(rangeId);
        if (leading.isEmpty()) {
            return Optional.of("range " + rangeId + " has no leader now");
        }
        if (leading.get().frozenFor().isPresent()) {
            return Optional.of("range " + rangeId + " is still frozen for another merge");
        }
        int wanted = view.policy().replicas();
        if (range.members().size() != wanted || view.healthy(range) < wanted) {
            return Optional.of(
                    "only "
                            + view.healthy(range)
                            + " of "
                            + wanted
                            + " members of range "
                            + rangeId
                            + " are healthy");
        }
        return range.members().stream()
                .filter(node -> !view.takesMore(node))
                .findFirst()
                .map(node -> "node " + node + " is to give away what it has of range " + rangeId);
    }

    private static Optional<String> whyNoTarget(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        int full = view.policy().replicasPerNodeMax();
        for (NodeId node : MergeCandidate.without(left, right)) {
            if (view.map().ranges().onNode(node).size() >= full) {
                return Optional.of("node " + node + " holds " + full + " replicas already");
            }
        }
        return Optional.empty();
    }
}
