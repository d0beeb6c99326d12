package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.range.RangeId;
import io.parterre.server.change.FollowerState;
import io.parterre.server.copy.CopyHold;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.log.LogRetention;
import io.parterre.server.log.LogShare;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * Drops a replica's log as far as {@link LogRetention} allows, and nothing while a copy or a merge
 * needs it. Safe for any thread, except that starts and restarts happen on the applying thread.
 */
public final class LogDisposal {
    private final AppliedRows rows;
    private final ReplicaGroup group;
    private final ServerStore store;
    private final RaftConfig config;
    private final LogShare share;
    private final LongSupplier nanoTicker;
    private final CrashHook<CrashPoint> crash;
    private final CopyHold copies = new CopyHold();
    private volatile LogRetention retention;
    private long foundIndex;

    /**
     * Creates the disposal for a replica that starts.
     *
     * @param share this replica's share of the node's memory for logs
     */
    LogDisposal(
            AppliedRows rows,
            ReplicaGroup group,
            ServerStore store,
            RaftConfig config,
            LogShare share,
            LongSupplier nanoTicker,
            CrashHook<CrashPoint> crash) {
        this.rows = rows;
        this.group = group;
        this.store = store;
        this.config = config;
        this.share = share;
        this.nanoTicker = nanoTicker;
        this.crash = crash;
        restart(rows.durable().index());
    }

    /** Starts again with a log that begins after an index. */
    void restart(long index) {
        foundIndex = index;
        retention =
                new LogRetention(
                        config.preservedLogBytes(), share::recordsMax, share.segmentBytes());
    }

    /**
     * Registers the log that exists at a start. Otherwise the log of a node that restarts often
     * would only grow.
     */
    void found(Path folder) throws IOException {
        for (LogSegments.Closed segment : LogSegments.closed(folder)) {
            if (segment.lastIndex() <= foundIndex) {
                retention.found(segment.firstIndex(), segment.lastIndex(), segment.bytes());
            }
        }
    }

    /** Number of applied entries that the log still has, each with a record in the heap. */
    public long keptEntries() {
        return retention.keptEntries();
    }

    void applied(long index, long bytes) {
        retention.applied(index, bytes);
    }

    /** Whether the log must not be dropped because of a copy or a merge under way. */
    public boolean isHeld() throws IOException {
        return rows.range().descriptor().isFrozen()
                || copies.isAny() && copies.holds(followers(), nanoTicker.getAsLong());
    }

    private Optional<List<FollowerState>> followers() throws IOException {
        RaftServer.Division division = group.division();
        return division.getInfo().isLeader()
                ? Optional.of(Followers.of(division))
                : Optional.empty();
    }

    /** Returns the index up to which the log may be dropped; empty if not now. */
    private OptionalLong droppable() throws IOException {
        return isHeld() ? OptionalLong.empty() : retention.drop(rows.durable().index());
    }

    /**
     * Returns the index up to which Ratis has to drop the log, as the index of a snapshot; -1 if
     * the log stays.
     */
    long droppedWithSnapshot() throws IOException {
        OptionalLong droppable = droppable();
        if (droppable.isEmpty()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        crash.reached(CrashPoint.BEFORE_LOG_PURGE);
        if (droppable.getAsLong() < foundIndex) {
            // Ratis would take this for a snapshot older than the one it started from, which is a
            // fault.
            purge(droppable.getAsLong());
            return RaftLog.INVALID_LOG_INDEX;
        }
        return droppable.getAsLong();
    }

    /**
     * Drops at once what need not be kept. Ratis asks only every few entries, so a range without
     * writes would keep its log.
     *
     * @return ends when the log is dropped
     */
    public CompletableFuture<?> drop() throws IOException {
        OptionalLong droppable = droppable();
        return droppable.isPresent()
                ? purge(droppable.getAsLong())
                : CompletableFuture.completedFuture(null);
    }

    private CompletableFuture<Long> purge(long index) throws IOException {
        return group.division().getRaftLog().purge(index);
    }

    /**
     * Opens a copy of the replica for another node, which may need the log after the copy: {@link
     * CopyHold}.
     */
    ReplicaCopy openCopy(String receiver) throws IOException {
        crash.reached(CrashPoint.COPY_OPENED);
        copies.opened();
        RangeId rangeId = rows.range().descriptor().rangeId();
        OptionalLong whole = rows.wholeCopy();
        ReplicaCopy copy;
        try {
            copy =
                    ReplicaCopy.open(
                            store,
                            rangeId,
                            copied ->
                                    copies.closed(
                                            receiver, copied.index(), nanoTicker.getAsLong()));
        } catch (IOException | RuntimeException failure) {
            copies.dropped();
            throw failure;
        }
        if (whole.isEmpty() || !whole.equals(rows.wholeCopy())) {
            copy.close();
            throw new IOException("range " + rangeId + " is given up or replaced here");
        }
        return copy;
    }
}
