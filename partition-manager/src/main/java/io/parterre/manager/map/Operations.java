package io.parterre.manager.map;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.pcollections.TreePMap;
import org.pcollections.TreePSet;

/**
 * The operations in progress, and what is remembered of past ones. Not visible to watchers.
 * Immutable.
 *
 * @param splits by the range that is split
 * @param merges by the range that is widened
 * @param recoveries by the successor
 * @param dead tombstones of ranges, the latest {@link #DEAD_MAX}
 * @param unconfirmed ranges that not all of their members have reported yet
 * @param folderReplaced members of unconfirmed ranges whose data folder was replaced since
 * @param replacements by decommissioned node: the node that gets its replicas. Without one, any
 *     suitable nodes get them
 * @param former data folders of nodes that have returned with another one
 */
record Operations(
        TreePMap<RangeId, Move> moves,
        TreePMap<RangeId, Split> splits,
        TreePMap<RangeId, Merge> merges,
        TreePMap<RangeId, Recovery> recoveries,
        TreePMap<RangeId, DeadRange> dead,
        TreePSet<RangeId> unconfirmed,
        TreePSet<NodeId> folderReplaced,
        Optional<DisruptionLease> lease,
        TreePMap<NodeId, NodeId> replacements,
        TreePMap<NodeId, FormerFolders> former) {
    /**
     * Upper bound of tombstones. A node that is away while more ranges end keeps their late
     * replicas.
     */
    static final int DEAD_MAX = 10_000;

    /**
     * Orders tombstones by which is forgotten first: the oldest of absorbed ranges, whose late
     * replicas are frozen and serve no client. Late members of a recovered range could serve if
     * they return and get no order.
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
                    TreePMap.empty(),
                    TreePMap.empty());

    Operations withMove(Move move) {
        return begun(moves.plus(move.rangeId(), move), splits, merges, recoveries);
    }

    Operations withoutMove(RangeId rangeId) {
        return begun(moves.minus(rangeId), splits, merges, recoveries);
    }

    Operations withSplit(Split split) {
        return begun(moves, splits.plus(split.rangeId(), split), merges, recoveries);
    }

    Operations withoutSplit(RangeId rangeId) {
        return begun(moves, splits.minus(rangeId), merges, recoveries);
    }

    Operations withMerge(Merge merge) {
        return begun(moves, splits, merges.plus(merge.leftId(), merge), recoveries);
    }

    Operations withoutMerge(RangeId leftId) {
        return begun(moves, splits, merges.minus(leftId), recoveries);
    }

    Operations withRecovery(Recovery recovery) {
        return begun(moves, splits, merges, recoveries.plus(recovery.rangeId(), recovery));
    }

    Operations withoutRecovery(RangeId rangeId) {
        return begun(moves, splits, merges, recoveries.minus(rangeId));
    }

    private Operations begun(
            TreePMap<RangeId, Move> moving,
            TreePMap<RangeId, Split> splitting,
            TreePMap<RangeId, Merge> merging,
            TreePMap<RangeId, Recovery> recovering) {
        return new Operations(
                moving,
                splitting,
                merging,
                recovering,
                dead,
                unconfirmed,
                folderReplaced,
                lease,
                replacements,
                former);
    }

    /**
     * Returns the merge of which the range is one side. A scan suffices, because only a few merges
     * are in progress at once.
     */
    Optional<Merge> merge(RangeId rangeId) {
        Merge asLeft = merges.get(rangeId);
        return asLeft != null
                ? Optional.of(asLeft)
                : merges.values().stream().filter(each -> each.concerns(rangeId)).findFirst();
    }

    /**
     * Returns these with a new recovery, and without any other operation of the range that it
     * replaces.
     */
    Operations withRecovery(Recovery recovery, RangeId replaced) {
        Operations alone =
                withoutMove(replaced)
                        .withoutSplit(replaced)
                        .withConfirmed(replaced)
                        .withoutRecovery(replaced)
                        .withRecovery(recovery);
        return merge(replaced).map(merge -> alone.withoutMerge(merge.leftId())).orElse(alone);
    }

    /** Returns these with one more tombstone. Beyond the bound another one is forgotten. */
    Operations withDead(DeadRange range) {
        TreePMap<RangeId, DeadRange> more = dead.plus(range.rangeId(), range);
        if (more.size() > DEAD_MAX) {
            more = more.minus(more.values().stream().min(FIRST_FORGOTTEN).orElseThrow().rangeId());
        }
        return remembered(more, unconfirmed, folderReplaced, lease, replacements);
    }

    Operations withUnconfirmed(RangeId rangeId) {
        return remembered(dead, unconfirmed.plus(rangeId), folderReplaced, lease, replacements);
    }

    Operations withConfirmed(RangeId rangeId) {
        TreePSet<RangeId> left = unconfirmed.minus(rangeId);
        return remembered(
                dead,
                left,
                left.isEmpty() ? TreePSet.empty() : folderReplaced,
                lease,
                replacements);
    }

    Operations withRelapsed(NodeId nodeId) {
        return remembered(dead, unconfirmed, folderReplaced.plus(nodeId), lease, replacements);
    }

    Operations withLease(Optional<DisruptionLease> other) {
        return remembered(dead, unconfirmed, folderReplaced, other, replacements);
    }

    Operations withReplacement(NodeId nodeId, Optional<NodeId> replacement) {
        TreePMap<NodeId, NodeId> others =
                replacement
                        .map(other -> replacements.plus(nodeId, other))
                        .orElseGet(() -> replacements.minus(nodeId));
        return remembered(dead, unconfirmed, folderReplaced, lease, others);
    }

    private Operations remembered(
            TreePMap<RangeId, DeadRange> gone,
            TreePSet<RangeId> founding,
            TreePSet<NodeId> back,
            Optional<DisruptionLease> held,
            TreePMap<NodeId, NodeId> others) {
        return new Operations(
                moves, splits, merges, recoveries, gone, founding, back, held, others, former);
    }

    /** Returns these with a data folder with which its node was removed and never returns. */
    Operations withFormer(NodeId nodeId, String incarnation) {
        FormerFolders known = former.get(nodeId);
        return with(
                known == null
                        ? new FormerFolders(nodeId, List.of(incarnation))
                        : known.with(incarnation));
    }

    Operations with(FormerFolders folders) {
        return new Operations(
                moves,
                splits,
                merges,
                recoveries,
                dead,
                unconfirmed,
                folderReplaced,
                lease,
                replacements,
                former.plus(folders.nodeId(), folders));
    }

    /**
     * Returns whether the node was removed with this folder, and has returned with another one
     * since.
     */
    boolean isFormer(NodeId nodeId, String incarnation) {
        FormerFolders known = former.get(nodeId);
        return known != null && known.incarnations().contains(incarnation);
    }
}
