package io.parterre.server.log;

import io.parterre.range.RangeId;

/**
 * Effect of a snapshot of one replica, or the effect that it would have.
 *
 * @param appliedIndex last applied entry; -1 if none
 * @param flushedBefore last entry whose effect was on disk before the snapshot, so that a start
 *     would not apply it again
 * @param flushedIndex last such entry after the snapshot
 * @param logHeld whether the log has to stay because of a copy for another node or a merge under
 *     way
 */
public record ReplicaSnapshot(
        RangeId rangeId,
        long appliedIndex,
        long flushedBefore,
        long flushedIndex,
        long logBytesBefore,
        long logBytes,
        boolean logHeld) {}
