package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * What is under way in the cluster. Watchers see nothing of it.
 *
 * @param splits by the range that is cut
 * @param unconfirmed ranges that not all of their members have reported yet
 * @param relapsed members of those that have come with another data folder since
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> relapsed,
        Optional<DisruptionLease> lease) {
    static final Operations NONE =
            new Operations(
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePSet.empty(),
                    TreePSet.empty(),
                    Optional.empty());

    Operations withMove(Move move) {
        return new Operations(
                moves.plus(move.rangeId(), move), splits, unconfirmed, relapsed, lease);
    }

    Operations withoutMove(RangeId rangeId) {
        return new Operations(moves.minus(rangeId), splits, unconfirmed, relapsed, lease);
    }

    Operations withSplit(Split split) {
        return new Operations(
                moves, splits.plus(split.rangeId(), split), unconfirmed, relapsed, lease);
    }

    Operations withoutSplit(RangeId rangeId) {
        return new Operations(moves, splits.minus(rangeId), unconfirmed, relapsed, lease);
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return new Operations(moves, splits, unconfirmed.plus(rangeId), relapsed, lease);
    }

    Operations withConfirmed(RangeId rangeId) {
        TreePSet<RangeId> left = unconfirmed.minus(rangeId);
        return new Operations(
                moves, splits, left, left.isEmpty() ? TreePSet.empty() : relapsed, lease);
    }

    Operations withRelapsed(NodeId nodeId) {
        return new Operations(moves, splits, unconfirmed, relapsed.plus(nodeId), lease);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(moves, splits, unconfirmed, relapsed, other);
    }
}
