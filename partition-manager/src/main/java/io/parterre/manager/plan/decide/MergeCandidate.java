package io.parterre.manager.plan.decide;

import io.parterre.manager.map.MergeReason;
import io.parterre.manager.plan.policy.Demand;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyUnit;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.manager.reason.ByteCount;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Two neighbours that might be merged, with the reports of their leaders.
 *
 * @param left ends where {@code right} begins
 */
public record MergeCandidate(Side left, Side right) {
    /**
     * A range as its leader reports it.
     *
     * @param load its present load
     */
    public record Side(RangeDescriptor range, NodeReport.Replica leading, RangeLoad load) {
        /**
         * Returns a side; empty if the leader's load report is missing or of another generation.
         */
        public static Optional<Side> of(RangeDescriptor range, NodeReport.Replica leading) {
            return leading.load()
                    .filter(load -> leading.generation().equals(range.generation()))
                    .map(load -> new Side(range, leading, load));
        }
    }

    /**
     * Why the ranges are not merged.
     *
     * @param reason made on demand, because most pairs are not merged in most rounds
     */
    public record WhyNot(Decision.Cause cause, Supplier<Reason> reason) {}

    private List<Side> both() {
        return List.of(left, right);
    }

    /**
     * Returns why the pair is not fit for a merge, independent of other operations; empty if it is.
     */
    public Optional<WhyNot> whyNot(ClusterView view, Policy policy) {
        return whyBusy(view, policy).or(() -> whyUnsettled(view, policy));
    }

    private Optional<WhyNot> whyBusy(ClusterView view, Policy policy) {
        long bytesMax = policy.split().bytesMax() / 2;
        if (sizeBytes() > bytesMax) {
            return busy(
                    () ->
                            ReasonCode.HOLD_TOO_MUCH.of(
                                    new ByteCount(sizeBytes()), PolicyUnit.BYTES.print(bytesMax)));
        }
        double limit = policy.split().quietMax();
        Demand now = left.load().wanted().plus(right.load().wanted());
        double most = policy.split().weigh(now.max(peak(view).orElse(Demand.NONE)));
        return most > limit
                ? busy(() -> ReasonCode.ARE_ASKED_TOO_MUCH.of(most, limit))
                : Optional.empty();
    }

    private static Optional<WhyNot> busy(Supplier<Reason> why) {
        return Optional.of(new WhyNot(Decision.Cause.NOT_QUIET, why));
    }

    private Optional<WhyNot> whyUnsettled(ClusterView view, Policy policy) {
        for (Side side : both()) {
            RangeDescriptor range = side.range();
            if (!view.map().isConfirmed(range.rangeId())
                    || range.members().size() != policy.replicas()
                    || !view.isSettled(range)
                    || side.leading().frozenFor().isPresent()) {
                return unsettled(() -> ReasonCode.MEMBERS_ARE_NOT_WELL.of(range.rangeId()));
            }
        }
        if (peak(view).isEmpty()) {
            return unsettled(ReasonCode.NOT_HEARD_FOR_LONG::of);
        }
        Duration ageMin = policy.merge().ageMin();
        for (Side side : both()) {
            Duration age = side.load().observed();
            if (age.compareTo(ageMin) < 0) {
                return unsettled(
                        () ->
                                ReasonCode.RANGE_IS_YOUNG.of(
                                        side.range().rangeId(),
                                        age.toSeconds(),
                                        ageMin.toSeconds()));
            }
        }
        return Optional.empty();
    }

    private static Optional<WhyNot> unsettled(Supplier<Reason> why) {
        return Optional.of(new WhyNot(Decision.Cause.NOT_SETTLED, why));
    }

    long sizeBytes() {
        return left.leading().sizeBytes() + right.leading().sizeBytes();
    }

    /**
     * Returns the sum of both ranges' peaks: an upper bound of their common peak; empty if not
     * known.
     */
    Optional<Demand> peak(ClusterView view) {
        Optional<Demand> one = view.peak(left.range().rangeId());
        Optional<Demand> other = view.peak(right.range().rangeId());
        return one.isPresent() && other.isPresent()
                ? Optional.of(one.get().plus(other.get()))
                : Optional.empty();
    }

    MergeReason reason() {
        return both().stream().anyMatch(side -> side.leading().sizeBytes() == 0)
                ? MergeReason.EMPTY
                : MergeReason.QUIET;
    }

    /** Returns the nodes that would get a replica of the right range, sorted by id. */
    List<NodeId> toJoin() {
        return without(left.range(), right.range());
    }

    /** Returns the members of the first range that the second lacks, sorted by id. */
    public static List<NodeId> without(RangeDescriptor range, RangeDescriptor other) {
        return range.members().stream()
                .filter(node -> !other.members().contains(node))
                .sorted()
                .toList();
    }
}
