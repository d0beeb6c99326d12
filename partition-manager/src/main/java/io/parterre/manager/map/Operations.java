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
 * @param recoveries by the range that goes on
 * @param dead ranges that no longer exist, the latest {@link #DEAD_MAX} of them
 * @param unconfirmed ranges that not all of their members have reported yet
 * @param relapsed members of those that have come with another data folder since
 * @param replacements nodes that leave, and who gets their replicas; others get them where there is
 *     none
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePMap<RangeId, Merge> merges,
        TreePMap<RangeId, Recovery> recoveries,
        TreePMap<RangeId, DeadRange> dead,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> relapsed,
        Optional<DisruptionLease> lease,
        TreePMap<NodeId, NodeId> replacements) {
    /** A node that was away for longer than it takes so many to die keeps what nobody asks for. */
    static final int DEAD_MAX = 10_000;

    /**
     * The oldest of those that were absorbed: what is left of them is frozen, and serves nobody.
     * Old members of a range that was recovered could, if they come back and are told nothing.
     */
    private static final Comparator<DeadRange> FIRST_FORGOTTEN =
            Comparator.comparing(DeadRange::recovered)
                    .thenComparingLong(DeadRange::mapVersion)
                    .thenComparing(DeadRange::rangeId);

    static final Operations NONE =
            new Operations(
                    TreePMap.empty(),
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
                others,
                splits,
                merges,
                recoveries,
                dead,
                unconfirmed,
                relapsed,
                lease,
                replacements);
    }

    Operations withSplit(Split split) {
        return withSplits(splits.plus(split.rangeId(), split));
    }

    Operations withoutSplit(RangeId rangeId) {
        return withSplits(splits.minus(rangeId));
    }

    private Operations withSplits(TreePMap<RangeId, Split> others) {
        return new Operations(
                moves,
                others,
                merges,
                recoveries,
                dead,
                unconfirmed,
                relapsed,
                lease,
                replacements);
    }

    Operations withMerge(Merge merge) {
        return withMerges(merges.plus(merge.leftId(), merge));
    }

    Operations withoutMerge(RangeId leftId) {
        return withMerges(merges.minus(leftId));
    }

    private Operations withMerges(TreePMap<RangeId, Merge> others) {
        return new Operations(
                moves,
                splits,
                others,
                recoveries,
                dead,
                unconfirmed,
                relapsed,
                lease,
                replacements);
    }

    /** The merge that the range is one of two in; at most a few are under way at once. */
    Optional<Merge> merge(RangeId rangeId) {
        Merge asLeft = merges.get(rangeId);
        return asLeft != null
                ? Optional.of(asLeft)
                : merges.values().stream().filter(each -> each.concerns(rangeId)).findFirst();
    }

    /** With a recovery begun, and nothing else under way about the range in whose place it goes. */
    Operations withRecovery(Recovery recovery, RangeId replaced) {
        Operations alone =
                withoutMove(replaced)
                        .withoutSplit(replaced)
                        .withConfirmed(replaced)
                        .withoutRecovery(replaced)
                        .withRecovery(recovery);
        return merge(replaced).map(merge -> alone.withoutMerge(merge.leftId())).orElse(alone);
    }

    Operations withRecovery(Recovery recovery) {
        return withRecoveries(recoveries.plus(recovery.rangeId(), recovery));
    }

    Operations withoutRecovery(RangeId rangeId) {
        return withRecoveries(recoveries.minus(rangeId));
    }

    private Operations withRecoveries(TreePMap<RangeId, Recovery> others) {
        return new Operations(
                moves, splits, merges, others, dead, unconfirmed, relapsed, lease, replacements);
    }

    /** With a range that no longer exists; one of the others is forgotten if they are too many. */
    Operations withDead(DeadRange range) {
        TreePMap<RangeId, DeadRange> more = dead.plus(range.rangeId(), range);
        if (more.size() > DEAD_MAX) {
            more = more.minus(more.values().stream().min(FIRST_FORGOTTEN).orElseThrow().rangeId());
        }
        return new Operations(
                moves,
                splits,
                merges,
                recoveries,
                more,
                unconfirmed,
                relapsed,
                lease,
                replacements);
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
        return new Operations(
                moves, splits, merges, recoveries, dead, founding, back, lease, replacements);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return new Operations(
                moves,
                splits,
                merges,
                recoveries,
                dead,
                unconfirmed,
                relapsed,
                other,
                replacements);
    }

    Operations withReplacement(NodeId nodeId, Optional<NodeId> replacement) {
        return new Operations(
                moves,
                splits,
                merges,
                recoveries,
                dead,
                unconfirmed,
                relapsed,
                lease,
                replacement
                        .map(other -> replacements.plus(nodeId, other))
                        .orElseGet(() -> replacements.minus(nodeId)));
    }
}
