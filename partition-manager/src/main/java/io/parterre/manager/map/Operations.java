package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Comparator;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * What is under way in the cluster, and what of it is remembered. Watchers see nothing of it.
 *
 * @param splits by the range that is cut
 * @param merges by the range that is widened
 * @param dead ranges that were absorbed, the latest {@link #DEAD_MAX} of them
 * @param unconfirmed ranges that not all of their members have reported yet
 * @param relapsed members of those that have come with another data folder since
 * @param replacements nodes that leave, and who gets their replicas; others get them where there is
 *     none
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePMap<RangeId, Merge> merges,
        TreePMap<RangeId, DeadRange> dead,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> relapsed,
        Optional<DisruptionLease> lease,
        TreePMap<NodeId, NodeId> replacements) {
    /** A node that was away for longer than it takes so many to die keeps what nobody asks for. */
    static final int DEAD_MAX = 10_000;

    static final Operations NONE =
            new Operations(
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePMap.empty(),
                    TreePSet.empty(),
                    TreePSet.empty(),
                    Optional.empty(),
                    TreePMap.empty());

    Operations withMove(Move move) {
        return withMoves(moves.plus(move.rangeId(), move));
    }

    Operations withoutMove(RangeId rangeId) {
        return withMoves(moves.minus(rangeId));
    }

    private Operations withMoves(TreePMap<RangeId, Move> others) {
        return new Operations(
                others, splits, merges, dead, unconfirmed, relapsed, lease, replacements);
    }

    Operations withSplit(Split split) {
        return withSplits(splits.plus(split.rangeId(), split));
    }

    Operations withoutSplit(RangeId rangeId) {
        return withSplits(splits.minus(rangeId));
    }

    private Operations withSplits(TreePMap<RangeId, Split> others) {
        return new Operations(
                moves, others, merges, dead, unconfirmed, relapsed, lease, replacements);
    }

    Operations withMerge(Merge merge) {
        return with(merges.plus(merge.leftId(), merge), dead);
    }

    Operations withoutMerge(RangeId leftId) {
        return with(merges.minus(leftId), dead);
    }

    /** With a range that is no more; the oldest one is forgotten if they are too many. */
    Operations withDead(DeadRange range) {
        TreePMap<RangeId, DeadRange> more = dead.plus(range.rangeId(), range);
        if (more.size() > DEAD_MAX) {
            DeadRange oldest =
                    more.values().stream()
                            .min(
                                    Comparator.comparingLong(DeadRange::mapVersion)
                                            .thenComparing(DeadRange::rangeId))
                            .orElseThrow();
            more = more.minus(oldest.rangeId());
        }
        return with(merges, more);
    }

    private Operations with(TreePMap<RangeId, Merge> merging, TreePMap<RangeId, DeadRange> buried) {
        return new Operations(
                moves, splits, merging, buried, unconfirmed, relapsed, lease, replacements);
    }

    /** The merge that the range is one of two in; at most a few are under way at once. */
    Optional<Merge> merge(RangeId rangeId) {
        Merge asLeft = merges.get(rangeId);
        return asLeft != null
                ? Optional.of(asLeft)
                : merges.values().stream().filter(each -> each.concerns(rangeId)).findFirst();
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return with(unconfirmed.plus(rangeId), relapsed);
    }

    Operations withConfirmed(RangeId rangeId) {
        TreePSet<RangeId> left = unconfirmed.minus(rangeId);
        return with(left, left.isEmpty() ? TreePSet.empty() : relapsed);
    }

    Operations withRelapsed(NodeId nodeId) {
        return with(unconfirmed, relapsed.plus(nodeId));
    }

    private Operations with(TreePSet<RangeId> founding, TreePSet<NodeId> back) {
        return new Operations(moves, splits, merges, dead, founding, back, lease, replacements);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(
                moves, splits, merges, dead, unconfirmed, relapsed, other, replacements);
    }

    Operations withReplacement(NodeId nodeId, Optional<NodeId> replacement) {
        return new Operations(
                moves,
                splits,
                merges,
                dead,
                unconfirmed,
                relapsed,
                lease,
                replacement
                        .map(other -> replacements.plus(nodeId, other))
                        .orElseGet(() -> replacements.minus(nodeId)));
    }
}
