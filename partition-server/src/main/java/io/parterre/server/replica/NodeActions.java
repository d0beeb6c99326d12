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
 * What replicas have their node do. Called by threads of their Raft groups, so nothing here waits
 * for another replica, for another node or for Ratis; the disk is waited for where a method says
 * so. Safe for any thread.
 */
public interface NodeActions {
    /** A leadership or a range is another one, which managers are to hear. */
    void changed();

    /** A replica can no longer keep what it acknowledged: the node has to end. */
    void failed(StoreFailure failure);

    /** The rows of children of a split are there: they are to get their Raft groups. */
    void childrenCreated(RangeId parentId, List<RangeId> childIds);

    /** A range no longer exists: what is left of its replica is to be removed. */
    void removeAbsorbed(RangeId rangeId);

    /**
     * Brings a replica a copy from the leader.
     *
     * @param leaderAddress host:port of the leader's services
     * @param firstIndex first entry of the leader's log: the copy must reach up to it
     * @return where the replica stands then; empty: not now, ask again
     */
    CompletableFuture<Optional<AppliedPosition>> bringCopy(
            CopyTarget replica, NodeId leader, String leaderAddress, long firstIndex);

    /**
     * A replica lacks what it needs to go on by its log.
     *
     * @return whether it may be brought as a copy
     */
    boolean needsCopy(RangeId rangeId, String why);

    /**
     * An entry cannot be applied. The replica takes part in nothing from then on, nor after another
     * start; its log and its rows stay as they are. Waits for the disk.
     *
     * @return whether that is noted; else the node has to end
     */
    boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure);

    /**
     * Entries of a range's log that are skipped, as an operator has decided. Waits for the disk.
     *
     * @throws java.io.UncheckedIOException if they cannot be read
     */
    Set<AppliedPosition> skipped(RangeId rangeId);
}
