package io.parterre.server.replica;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.StoreFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Actions that replicas ask of their node. Called by threads of their Raft groups, so nothing here
 * waits for another replica, another node or Ratis. An action waits for the disk only where its
 * comment says so. Safe for any thread.
 */
public interface NodeActions {
    /** Notes a change of leadership or of a range that managers have to hear of. */
    void changed();

    /** Ends the node, because a replica can no longer keep what it acknowledged. */
    void failed(StoreFailure failure);

    /** Starts the Raft groups of the children of a split, whose rows are there. */
    void childrenCreated(RangeId parentId, List<RangeId> childIds);

    /** Removes the rest of a replica whose range no longer exists. */
    void removeAbsorbed(RangeId rangeId);

    /**
     * Brings a replica a copy from the leader.
     *
     * @param leaderAddress host:port of the leader's services
     * @param firstIndex first entry of the leader's log, which the copy has to reach
     * @return ends with the replica's position after that; empty if no copy can be brought now and
     *     the caller should ask again
     */
    CompletableFuture<Optional<AppliedPosition>> bringCopy(
            CopyTarget replica, NodeId leader, String leaderAddress, long firstIndex);

    /**
     * Notes that a replica cannot continue from its log.
     *
     * @return whether the replica may get a copy
     */
    boolean needsCopy(RangeId rangeId, String why);

    /**
     * Quarantines a replica because an entry cannot be applied. The replica leaves its group, also
     * after a restart; its log and its rows stay as they are. Waits for the disk.
     *
     * @return whether the quarantine is noted; if not, the node has to end
     */
    boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure);

    /**
     * Returns the entries of a range's log that are skipped, as an operator has decided. Waits for
     * the disk.
     *
     * @throws java.io.UncheckedIOException if they cannot be read
     */
    Set<AppliedPosition> skipped(RangeId rangeId);
}
