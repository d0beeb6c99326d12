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
 * @param replacements nodes that leave, and who gets their replicas; others get them where there is
 *     none
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> relapsed,
        Optional<DisruptionLease> lease,
        TreePMap<NodeId, NodeId> replacements) {
    static final Operations NONE =
            new Operations(
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePSet.empty(),
                    TreePSet.empty(),
                    Optional.empty(),
                    TreePMap.empty());

    Operations withMove(Move move) {
        return with(moves.plus(move.rangeId(), move), splits);
    }

    Operations withoutMove(RangeId rangeId) {
        return with(moves.minus(rangeId), splits);
    }

    Operations withSplit(Split split) {
        return with(moves, splits.plus(split.rangeId(), split));
    }

    Operations withoutSplit(RangeId rangeId) {
        return with(moves, splits.minus(rangeId));
    }

    private Operations with(TreePMap<RangeId, Move> moving, TreePMap<RangeId, Split> splitting) {
        return new Operations(moving, splitting, unconfirmed, relapsed, lease, replacements);
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return new Operations(
                moves, splits, unconfirmed.plus(rangeId), relapsed, lease, replacements);
    }

    Operations withConfirmed(RangeId rangeId) {
        TreePSet<RangeId> left = unconfirmed.minus(rangeId);
        return new Operations(
                moves,
                splits,
                left,
                left.isEmpty() ? TreePSet.empty() : relapsed,
                lease,
                replacements);
    }

    Operations withRelapsed(NodeId nodeId) {
        return new Operations(
                moves, splits, unconfirmed, relapsed.plus(nodeId), lease, replacements);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(moves, splits, unconfirmed, relapsed, other, replacements);
    }

    Operations withReplacement(NodeId nodeId, Optional<NodeId> replacement) {
        return new Operations(
                moves,
                splits,
                unconfirmed,
                relapsed,
                lease,
                replacement
                        .map(other -> replacements.plus(nodeId, other))
                        .orElseGet(() -> replacements.minus(nodeId)));
    }
}
