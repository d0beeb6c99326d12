package io.parterre.server.log;

import io.parterre.range.RangeId;

/**
 * What a snapshot of one replica did, or would do.
 *
 * @param appliedIndex last entry applied; -1: none
 * @param flushedBefore last entry that a start did not have to apply again
 * @param flushedIndex the same after it
 * @param logHeld whether the log has to stay because of a copy for another node
 */
public record ReplicaSnapshot(
        RangeId rangeId,
        long appliedIndex,
        long flushedBefore,
        long flushedIndex,
        long logBytesBefore,
        long logBytes,
        boolean logHeld) {}
