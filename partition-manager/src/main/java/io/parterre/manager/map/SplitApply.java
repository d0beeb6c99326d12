package io.parterre.manager.map;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Applies commands about splits to a map. Deterministic: the same map and command give the same
 * result.
 */
record SplitApply(ClusterMap map) implements Application {
    Applied begin(MapCommand.BeginSplit command) {
        RangeId rangeId = command.rangeId();
        Optional<RangeDescriptor> range = map.ranges().find(rangeId);
        if (range.isEmpty()) {
            return refused(ReasonCode.RANGE_UNKNOWN.of(rangeId));
        }
        Optional<Reason> whyNot = RangeLock.whyNotChanged(map, range.get(), command.decidedAt());
        if (whyNot.isPresent()) {
            return refused(whyNot.get());
        }
        if (!map.isConfirmed(rangeId)) {
            return refused(ReasonCode.RANGE_IS_FOUNDED.of(rangeId));
        }
        if (command.splitPoint()
                .filter(splitPoint -> !isInside(range.get(), splitPoint))
                .isPresent()) {
            return refused(ReasonCode.KEY_OUTSIDE.of(rangeId, command.splitPoint().get()));
        }
        Split split =
                new Split(
                        rangeId,
                        map.nextIds().ranges(command.parts() - 1),
                        command.decidedAt(),
                        command.splitPoint(),
                        command.childLeader(),
                        command.reason(),
                        command.begun(),
                        Optional.empty());
        return new Applied(
                map.with(split, map.nextIds().afterRanges(split.childIds().size())),
                new MapOutcome.SplitBegun(split.childIds()),
                Optional.empty());
    }

    private static boolean isInside(RangeDescriptor range, Key splitPoint) {
        return range.bounds().contains(splitPoint) && !range.bounds().start().equals(splitPoint);
    }

    Applied abandon(MapCommand.AbandonSplit command) {
        return underWay(command.split())
                .map(split -> split.asAbandoned(command.why()))
                .map(split -> operations(map.operations().withSplit(split)))
                .orElseGet(() -> noSuchSplit(command.split()));
    }

    Applied end(MapCommand.EndSplit command) {
        Optional<Split> split = underWay(command.split());
        if (split.isEmpty()) {
            return noSuchSplit(command.split());
        }
        if (generation(split.get().rangeId()).compareTo(split.get().decidedAt()) <= 0) {
            // A split that was ordered may still take effect.
            return refused(ReasonCode.RANGE_MAY_BE_SPLIT.of(split.get().rangeId()));
        }
        return operations(map.operations().withoutSplit(split.get().rangeId()));
    }

    private Generation generation(RangeId rangeId) {
        return map.ranges().find(rangeId).orElseThrow().generation();
    }

    Applied complete(MapCommand.CompleteSplit command) {
        Optional<Split> split = underWay(command.split());
        if (split.isEmpty()) {
            return noSuchSplit(command.split());
        }
        RangeDescriptor before = map.ranges().find(split.get().rangeId()).orElseThrow();
        if (!before.generation().equals(split.get().decidedAt())) {
            return refused(RangeLock.otherGeneration(before, split.get().decidedAt()));
        }
        Optional<Key> outside =
                command.splitPoints().stream()
                        .filter(splitPoint -> !isInside(before, splitPoint))
                        .findFirst();
        if (outside.isPresent()) {
            return refused(ReasonCode.KEY_OUTSIDE.of(before.rangeId(), outside.get()));
        }
        if (command.splitPoints().size() > split.get().childIds().size()) {
            return refused(ReasonCode.TOO_MANY_SPLIT_POINTS.of(before.rangeId()));
        }
        List<RangeDescriptor> parts = parts(before, split.get(), command);
        ClusterMap after = map.split(before.rangeId(), parts);
        return done(after, MapDelta.ofSplit(after, parts));
    }

    /** Returns the range itself, then its children in key order. */
    private static List<RangeDescriptor> parts(
            RangeDescriptor before, Split split, MapCommand.CompleteSplit command) {
        List<RangeDescriptor> parts = new ArrayList<>();
        Key start = before.bounds().start();
        for (int i = 0; i <= command.splitPoints().size(); i++) {
            boolean last = i == command.splitPoints().size();
            Key end = last ? before.bounds().endExclusive() : command.splitPoints().get(i);
            parts.add(
                    new RangeDescriptor(
                            i == 0 ? before.rangeId() : split.childIds().get(i - 1),
                            new KeyRange(start, end),
                            command.generation(),
                            command.members()));
            start = end;
        }
        return parts;
    }

    private Optional<Split> underWay(Split split) {
        return map.split(split.rangeId()).filter(split::isSameAs);
    }

    private Applied noSuchSplit(Split split) {
        return refused(ReasonCode.SPLIT_ENDED.of(split.rangeId()));
    }
}
