package io.parterre.manager.map;

import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/**
 * Applies commands about merges to a map. Deterministic: the same map and command give the same
 * result.
 */
record MergeApply(ClusterMap map) implements Application {
    Applied begin(MapCommand.BeginMerge command) {
        Merge merge = command.merge();
        return whyNot(merge)
                .map(this::refused)
                .orElseGet(() -> operations(map.operations().withMerge(merge)));
    }

    private Optional<Reason> whyNot(Merge merge) {
        Optional<RangeDescriptor> left = map.ranges().find(merge.leftId());
        Optional<RangeDescriptor> right = map.ranges().find(merge.rightId());
        if (left.isEmpty() || right.isEmpty()) {
            RangeId missing = left.isEmpty() ? merge.leftId() : merge.rightId();
            return Optional.of(ReasonCode.RANGE_UNKNOWN.of(missing));
        }
        Optional<Reason> busy =
                RangeLock.whyNotChanged(map, left.get(), merge.leftDecidedAt())
                        .or(
                                () ->
                                        RangeLock.whyNotChanged(
                                                map, right.get(), merge.rightDecidedAt()));
        if (busy.isPresent()) {
            return busy;
        }
        for (RangeId rangeId : List.of(merge.leftId(), merge.rightId())) {
            if (!map.isConfirmed(rangeId)) {
                return Optional.of(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
            }
        }
        return areNeighbours(left.get(), right.get())
                ? Optional.empty()
                : Optional.of(
                        ReasonCode.RANGES_ARE_NO_NEIGHBOURS.of(merge.rightId(), merge.leftId()));
    }

    private static boolean areNeighbours(RangeDescriptor left, RangeDescriptor right) {
        return left.bounds().endExclusive().equals(right.bounds().start());
    }

    Applied abandon(MapCommand.AbandonMerge command) {
        return underWay(command.merge())
                .map(merge -> merge.asAbandoned(command.why()))
                .map(merge -> operations(map.operations().withMerge(merge)))
                .orElseGet(() -> noSuchMerge(command.merge()));
    }

    Applied end(MapCommand.EndMerge command) {
        Optional<Merge> merge = underWay(command.merge());
        if (merge.isEmpty()) {
            return noSuchMerge(command.merge());
        }
        RangeId leftId = merge.get().leftId();
        Generation now = map.ranges().find(leftId).orElseThrow().generation();
        if (merge.get().mayTakeEffectAt(now)) {
            return refused(ReasonCode.RANGE_MAY_ABSORB.of(leftId, merge.get().rightId()));
        }
        return operations(map.operations().withoutMerge(leftId));
    }

    Applied join(MapCommand.JoinRanges command) {
        Optional<Merge> merge = underWay(command.merge());
        if (merge.isEmpty()) {
            return noSuchMerge(command.merge());
        }
        RangeDescriptor left = map.ranges().find(merge.get().leftId()).orElseThrow();
        RangeDescriptor right = map.ranges().find(merge.get().rightId()).orElseThrow();
        if (!left.generation().equals(merge.get().leftDecidedAt())) {
            // The left range's log has applied another change, so this command is wrong.
            return refused(RangeLock.otherGeneration(left, merge.get().leftDecidedAt()));
        }
        if (command.generation().compareTo(right.generation()) <= 0) {
            return refused(
                    ReasonCode.GENERATION_REACHED.of(
                            right.rangeId(), right.generation(), command.generation()));
        }
        Optional<Applied> unknown = unknown(command.members());
        if (unknown.isPresent()) {
            return unknown.get();
        }
        RangeDescriptor joined =
                new RangeDescriptor(
                        left.rangeId(),
                        new KeyRange(left.bounds().start(), right.bounds().endExclusive()),
                        command.generation(),
                        command.members());
        ClusterMap after = map.joined(joined, right.rangeId());
        return done(after, MapDelta.ofReplaced(after, right.rangeId(), joined));
    }

    private Optional<Merge> underWay(Merge merge) {
        return map.merge(merge.leftId()).filter(merge::isSameAs);
    }

    private Applied noSuchMerge(Merge merge) {
        return refused(ReasonCode.MERGE_ENDED.of(merge.leftId()));
    }
}
