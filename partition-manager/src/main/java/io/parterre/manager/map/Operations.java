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
 * @param recoveries by the range that goes on
 * @param retired ranges that were given up for one that goes on in their place
 * @param unconfirmed ranges that not all of their members have reported yet
 * @param relapsed members of those that have come with another data folder since
 * @param replacements nodes that leave, and who gets their replicas; others get them where there is
 *     none
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePMap<RangeId, Recovery> recoveries,
        TreePSet<RangeId> retired,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> relapsed,
        Optional<DisruptionLease> lease,
        TreePMap<NodeId, NodeId> replacements) {
    static final Operations NONE =
            new Operations(
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePSet.empty(),
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
        return new Operations(
                moving, splitting, recoveries, retired, unconfirmed, relapsed, lease, replacements);
    }

    /** With a recovery begun, and nothing else under way about the range in whose place it goes. */
    Operations withRecovery(Recovery recovery, RangeId replaced) {
        TreePMap<RangeId, Recovery> others =
                recoveries.minus(replaced).plus(recovery.rangeId(), recovery);
        return withoutMove(replaced)
                .withoutSplit(replaced)
                .withConfirmed(replaced)
                .withRecoveries(others, retired.plus(replaced));
    }

    Operations withoutRecovery(RangeId rangeId) {
        return withRecoveries(recoveries.minus(rangeId), retired);
    }

    Operations withRecoveries(TreePMap<RangeId, Recovery> other, TreePSet<RangeId> gone) {
        return new Operations(
                moves, splits, other, gone, unconfirmed, relapsed, lease, replacements);
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return new Operations(
                moves,
                splits,
                recoveries,
                retired,
                unconfirmed.plus(rangeId),
                relapsed,
                lease,
                replacements);
    }

    Operations withConfirmed(RangeId rangeId) {
        TreePSet<RangeId> left = unconfirmed.minus(rangeId);
        return new Operations(
                moves,
                splits,
                recoveries,
                retired,
                left,
                left.isEmpty() ? TreePSet.empty() : relapsed,
                lease,
                replacements);
    }

    Operations withRelapsed(NodeId nodeId) {
        return new Operations(
                moves,
                splits,
                recoveries,
                retired,
                unconfirmed,
                relapsed.plus(nodeId),
                lease,
                replacements);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(
                moves, splits, recoveries, retired, unconfirmed, relapsed, other, replacements);
    }

    Operations withReplacement(NodeId nodeId, Optional<NodeId> replacement) {
        return new Operations(
                moves,
                splits,
                recoveries,
                retired,
                unconfirmed,
                relapsed,
                lease,
                replacement
                        .map(other -> replacements.plus(nodeId, other))
                        .orElseGet(() -> replacements.minus(nodeId)));
    }
}
