package io.parterre.manager.map;

import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;

/**
 * Applies commands about the members of ranges to a map. Deterministic: the same map and command
 * give the same result.
 */
record MemberApply(ClusterMap map) implements Application {
    Applied begin(Move move) {
        return whyNot(move)
                .map(this::refused)
                .orElseGet(() -> operations(map.operations().withMove(move)));
    }

    private Optional<Reason> whyNot(Move move) {
        RangeId rangeId = move.rangeId();
        Optional<RangeDescriptor> range = map.ranges().find(rangeId);
        if (range.isEmpty()) {
            return Optional.of(ReasonCode.RANGE_UNKNOWN.of(rangeId));
        }
        Optional<Reason> busy = RangeLock.whyNot(map, range.get(), move);
        if (busy.isPresent()) {
            return busy;
        }
        List<NodeId> members = range.get().members();
        if (move.remove().filter(node -> !members.contains(node)).isPresent()) {
            return Optional.of(ReasonCode.NODE_NO_MEMBER.of(move.remove().get(), rangeId));
        }
        if (move.add().isEmpty() && members.size() == 1) {
            return Optional.of(ReasonCode.RANGE_HAS_NO_OTHER_MEMBER.of(rangeId));
        }
        if (move.add().filter(members::contains).isPresent() && !move.rebuilds()) {
            return Optional.of(ReasonCode.NODE_IS_MEMBER.of(move.add().get(), rangeId));
        }
        return move.add()
                .filter(node -> !stays(node))
                .map(node -> ReasonCode.NODE_UNKNOWN_OR_LEFT.of(node));
    }

    private boolean stays(NodeId nodeId) {
        return map.node(nodeId).filter(node -> node.state() != NodeState.REMOVED).isPresent();
    }

    Applied end(Move move) {
        return map.move(move.rangeId()).filter(move::equals).isPresent()
                ? operations(map.operations().withoutMove(move.rangeId()))
                : refused(ReasonCode.MOVE_ENDED.of(move.rangeId()));
    }

    Applied update(MapCommand.UpdateRange command) {
        Optional<RangeDescriptor> known = map.ranges().find(command.rangeId());
        if (known.isEmpty()) {
            return refused(ReasonCode.RANGE_UNKNOWN.of(command.rangeId()));
        }
        if (!known.get().generation().equals(command.decidedAt())) {
            return refused(RangeLock.otherGeneration(known.get(), command.decidedAt()));
        }
        Optional<Applied> unknown = unknown(command.members());
        if (unknown.isPresent()) {
            return unknown.get();
        }
        RangeDescriptor range =
                new RangeDescriptor(
                        command.rangeId(),
                        known.get().bounds(),
                        command.generation(),
                        command.members());
        ClusterMap after = map.with(range);
        return done(after, MapDelta.of(after, range));
    }

    Applied confirm(RangeId rangeId) {
        return map.isConfirmed(rangeId)
                ? unchanged(new MapOutcome.Done())
                : operations(map.operations().withConfirmed(rangeId));
    }

    Applied recover(MapCommand.RecoverRange command) {
        RangeId rangeId = command.rangeId();
        Optional<RangeDescriptor> range = map.ranges().find(rangeId);
        if (range.isEmpty()) {
            return refused(ReasonCode.RANGE_UNKNOWN.of(rangeId));
        }
        Optional<Reason> obstacle =
                RangeLock.whyNotRecovered(map, range.get(), command.decidedAt());
        if (obstacle.isPresent()) {
            return refused(obstacle.get());
        }
        if (!stays(command.survivor())) {
            return refused(ReasonCode.NODE_UNKNOWN_OR_LEFT.of(command.survivor()));
        }
        if (!command.successorId().equals(map.nextRangeId())) {
            return refused(ReasonCode.RANGE_ID_TAKEN.of(command.successorId(), map.nextRangeId()));
        }
        // A successor that is recovered again was not made yet. The data is that of the first lost
        // range.
        RangeId lostId = map.recovery(rangeId).map(Recovery::lostId).orElse(rangeId);
        RangeDescriptor successor =
                new RangeDescriptor(
                        command.successorId(),
                        range.get().bounds(),
                        command.generation(),
                        List.of(command.survivor()));
        Recovery recovery =
                new Recovery(successor.rangeId(), lostId, command.survivor(), command.begun());
        ClusterMap after = map.recovered(rangeId, successor, recovery);
        return done(after, MapDelta.ofReplaced(after, rangeId, successor));
    }

    Applied end(Recovery recovery) {
        return map.recovery(recovery.rangeId()).filter(recovery::equals).isPresent()
                ? operations(map.operations().withoutRecovery(recovery.rangeId()))
                : refused(ReasonCode.RECOVERY_ENDED.of(recovery.rangeId()));
    }
}
