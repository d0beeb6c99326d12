package io.parterre.server.raft;

import io.parterre.server.copy.CopyHold;
import io.parterre.server.log.LogRetention;
import io.parterre.server.log.LogShare;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * How far a replica's log may be dropped: what {@link LogRetention} allows, and nothing while a
 * copy needs it. Safe for any thread as far as those are; it starts and restarts on the applying
 * thread.
 */
final class LogDisposal {
    private final RaftConfig config;
    private final LogShare share;
    private final CopyHold copies = new CopyHold();
    private volatile LogRetention retention;
    private long foundIndex;

    /**
     * Of a replica that starts.
     *
     * @param share of the node's memory for logs
     * @param foundIndex up to where it is durably applied
     */
    LogDisposal(RaftConfig config, LogShare share, long foundIndex) {
        this.config = config;
        this.share = share;
        restart(foundIndex);
    }

    /** From here on the log begins after an index. */
    void restart(long index) {
        foundIndex = index;
        retention =
                new LogRetention(
                        config.preservedLogBytes(), share::recordsMax, share.segmentBytes());
    }

    /** Copies that are made of the replica; safe for any thread. */
    CopyHold copies() {
        return copies;
    }

    /** Takes note of log that is there, or that of a node that restarts often would only grow. */
    void found(Path folder) throws IOException {
        for (LogSegments.Closed segment : LogSegments.closed(folder)) {
            if (segment.lastIndex() <= foundIndex) {
                retention.found(segment.firstIndex(), segment.lastIndex(), segment.bytes());
            }
        }
    }

    /** Applied entries that the log still has. */
    long keptEntries() {
        return retention.keptEntries();
    }

    void applied(long index, long bytes) {
        retention.applied(index, bytes);
    }

    /** Index up to which the log may be dropped, if no copy needs it; empty: not now. */
    OptionalLong droppable(long durableIndex) {
        return retention.drop(durableIndex);
    }

    /** Whether to Ratis that would be a snapshot older than the one it started from: a fault. */
    boolean isBeforeStart(long index) {
        return index < foundIndex;
    }
}
