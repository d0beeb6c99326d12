package io.parterre.manager.map;

import io.parterre.range.RangeId;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * What is under way in the cluster. Watchers see nothing of it.
 *
 * @param unconfirmed ranges that not all of their members have reported yet
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePSet<RangeId> unconfirmed,
        Optional<DisruptionLease> lease) {
    static final Operations NONE =
            new Operations(TreePMap.empty(), TreePSet.empty(), Optional.empty());

    Operations withMove(Move move) {
        return new Operations(moves.plus(move.rangeId(), move), unconfirmed, lease);
    }

    Operations withoutMove(RangeId rangeId) {
        return new Operations(moves.minus(rangeId), unconfirmed, lease);
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return new Operations(moves, unconfirmed.plus(rangeId), lease);
    }

    Operations withConfirmed(RangeId rangeId) {
        return new Operations(moves, unconfirmed.minus(rangeId), lease);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(moves, unconfirmed, other);
    }
}
