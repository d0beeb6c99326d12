package io.parterre.manager.plan.progress;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The progress of a merge, judged by the map and the reports alone, because a new leader has
 * nothing else. There is no case for a merge that has taken effect: the map learns of it from the
 * left range's leader, and the merge ends. Stateless and thread-safe.
 */
public sealed interface MergeProgress {
    /**
     * Time after which a merge is given up, whether it is slow or has no leaders. If replicas have
     * to move first, a move's time is added.
     */
    Duration GIVE_UP_AFTER = Duration.ofMinutes(1);

    /** The merge goes on. */
    record Going(Step step) implements MergeProgress {}

    /** What the merge waits for. */
    enum Step {
        /** The right range has other members than the left one. */
        MEMBERS,
        /** One of the ranges has no known leader. */
        LEADERS,
        /** The right range is led by another node than the left one. */
        LEAD,
        /** Not all members are level with the leader, which would make the pause long. */
        LEVEL,
        /** The leader of both ranges has to join them. */
        JOIN,
        /** The left range's log has decided, and its leader has not reported the result yet. */
        WORD
    }

    /** The merge has to be given up. */
    record Impossible(Reason why) implements MergeProgress {}

    /** The left range's leader has to raise its generation, which refuses a late join. */
    record Abandoned(Reason why) implements MergeProgress {}

    /** The merge cannot take effect any more, and the right range may still be frozen for it. */
    record Undoing() implements MergeProgress {}

    /** The merge cannot take effect any more, and the right range serves. */
    record Over() implements MergeProgress {}

    static MergeProgress of(ClusterView view, Merge merge) {
        RangeDescriptor left = view.map().ranges().find(merge.leftId()).orElseThrow();
        RangeDescriptor right = view.map().ranges().find(merge.rightId()).orElseThrow();
        if (!mayTakeEffect(view.map(), merge)) {
            return view.leading(right.rangeId())
                            .filter(each -> each.generation().equals(right.generation()))
                            .filter(each -> each.frozenFor().isEmpty())
                            .isPresent()
                    ? new Over()
                    : new Undoing();
        }
        if (merge.abandoned().isPresent()) {
            return new Abandoned(merge.abandoned().get());
        }
        if (isDecided(view, merge, left)) {
            return new Going(Step.WORD);
        }
        return whyHopeless(view, merge, left, right)
                .<MergeProgress>map(Impossible::new)
                .orElseGet(() -> new Going(step(view, left, right)));
    }

    /** Returns whether the left range's log may still accept the join. */
    static boolean mayTakeEffect(ClusterMap map, Merge merge) {
        return merge.mayTakeEffectAt(map.ranges().find(merge.leftId()).orElseThrow().generation());
    }

    /**
     * Returns whether a member reports that the left range's log has gone on. The report does not
     * show with what result.
     */
    private static boolean isDecided(ClusterView view, Merge merge, RangeDescriptor left) {
        return left.members().stream()
                .flatMap(member -> view.replica(member, left.rangeId()).stream())
                .anyMatch(replica -> replica.generation().compareTo(merge.leftDecidedAt()) > 0);
    }

    /** Returns whether the right range is frozen, by its leader's report. */
    static boolean isFrozen(ClusterView view, RangeDescriptor right) {
        return view.leading(right.rangeId()).flatMap(NodeReport.Replica::frozenFor).isPresent();
    }

    private static Optional<Reason> whyHopeless(
            ClusterView view, Merge merge, RangeDescriptor left, RangeDescriptor right) {
        boolean frozen = isFrozen(view, right);
        for (RangeDescriptor range : List.of(left, right)) {
            for (NodeId member : range.members()) {
                Optional<Reason> unfit = whyUnfit(view, range.rangeId(), member, frozen);
                if (unfit.isPresent()) {
                    return unfit;
                }
            }
        }
        Optional<NodeId> leader = view.leader(left.rangeId());
        Optional<Reason> refused =
                leader.flatMap(view::report)
                        .flatMap(report -> report.refusalOf(merge))
                        .map(refusal -> ReasonCode.LEADER_REFUSED.of(refusal.why()));
        if (refused.isPresent()) {
            return refused;
        }
        if (frozen) {
            // Clients wait for the frozen range, and to align the leaders again would take longer
            // than to undo the freeze.
            return leader.equals(view.leader(right.rangeId()))
                    ? Optional.empty()
                    : Optional.of(ReasonCode.FROZEN_AND_LED_ELSEWHERE.of(right.rangeId()));
        }
        return merge.reason() == MergeReason.OPERATOR
                ? whyLate(view, merge, left, right)
                : whyUnwanted(view, left, right).or(() -> whyLate(view, merge, left, right));
    }

    private static Optional<Reason> whyUnfit(
            ClusterView view, RangeId rangeId, NodeId member, boolean frozen) {
        Health health = view.health(rangeId, member);
        boolean heard = view.lastHeard(member).isPresent();
        boolean patient =
                !heard
                        && view.silentSince(member)
                                .plus(view.policy().suspectAfter())
                                .isAfter(view.now());
        boolean unfit =
                health.isGone()
                        || view.damage(member, rangeId).isPresent()
                        || view.ailment(member).isPresent()
                        || frozen && health != Health.HEALTHY && !patient;
        if (unfit) {
            return Optional.of(ReasonCode.MEMBER_IS_NOT_WELL.of(member, rangeId));
        }
        boolean goes =
                view.state(member).filter(state -> state == NodeState.ACTIVE).isEmpty()
                        || view.permitHolder().filter(member::equals).isPresent();
        return goes ? Optional.of(ReasonCode.MEMBER_TRANSFERS.of(member)) : Optional.empty();
    }

    /** Returns why a merge that no operator asked for is not wanted any more. */
    private static Optional<Reason> whyUnwanted(
            ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        if (!view.policy().merge().enabled()) {
            return Optional.of(ReasonCode.MERGED_ON_DEMAND.of());
        }
        SplitPolicy policy = view.policy().split();
        return policy.weigh(wanted(view, left).plus(wanted(view, right))) > policy.quietMax()
                ? Optional.of(ReasonCode.NOT_QUIET.of())
                : Optional.empty();
    }

    private static Demand wanted(ClusterView view, RangeDescriptor range) {
        return view.leading(range.rangeId())
                .flatMap(NodeReport.Replica::load)
                .map(RangeLoad::wanted)
                .orElse(Demand.NONE);
    }

    private static Optional<Reason> whyLate(
            ClusterView view, Merge merge, RangeDescriptor left, RangeDescriptor right) {
        boolean moved =
                !haveSameMembers(left, right)
                        || view.map().move(right.rangeId()).isPresent()
                        || right.generation().compareTo(merge.rightDecidedAt()) > 0;
        Duration patience =
                moved ? GIVE_UP_AFTER.plus(view.policy().moveGiveUpAfter()) : GIVE_UP_AFTER;
        Instant until = merge.begun().plus(patience);
        return until.isAfter(view.now())
                ? Optional.empty()
                : Optional.of(ReasonCode.IS_LATE.of(patience.toSeconds()));
    }

    private static Step step(ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        if (!haveSameMembers(left, right) || view.map().move(right.rangeId()).isPresent()) {
            return Step.MEMBERS;
        }
        Optional<NodeId> leader = view.leader(left.rangeId());
        Optional<NodeId> other = view.leader(right.rangeId());
        if (leader.isEmpty() || other.isEmpty()) {
            return Step.LEADERS;
        }
        if (!leader.equals(other)) {
            return Step.LEAD;
        }
        return isFrozen(view, right) || areLevel(view, left, right) ? Step.JOIN : Step.LEVEL;
    }

    static boolean haveSameMembers(RangeDescriptor left, RangeDescriptor right) {
        return Set.copyOf(left.members()).equals(Set.copyOf(right.members()));
    }

    private static boolean areLevel(ClusterView view, RangeDescriptor left, RangeDescriptor right) {
        return left.members().stream()
                .allMatch(
                        member ->
                                view.keepsUp(left.rangeId(), member)
                                        && view.keepsUp(right.rangeId(), member));
    }

    /**
     * Returns the generation of the right range before it was frozen for this merge, so that a new
     * leader gets the same order as the previous one.
     */
    static Generation unfrozen(NodeReport.Replica leading) {
        return leading.frozenFor().isPresent()
                ? new Generation(leading.generation().value() - 1)
                : leading.generation();
    }
}
