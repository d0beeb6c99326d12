package io.parterre.server.raft;

import io.parterre.range.RangeId;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Changes of members, lead and bounds of the ranges that this node leads: one of a range at a time,
 * so that none is decided on what another is about to change. Nothing here blocks. Safe for any
 * thread.
 */
final class RangeChanges {
    private static final Logger LOG = LoggerFactory.getLogger(RangeChanges.class);

    private final Set<RangeId> underWay = ConcurrentHashMap.newKeySet();
    private final Runnable onChange;

    /**
     * Changes on this node.
     *
     * @param onChange told when a change has ended
     */
    RangeChanges(Runnable onChange) {
        this.onChange = onChange;
    }

    /** A change of one range. */
    interface Change {
        /** Whether it did anything, once it has ended. */
        CompletableFuture<Boolean> run() throws IOException;
    }

    /** Begins a change if the range is led here and none of it is under way. */
    void begin(Replica replica, String what, Change change) {
        RangeId rangeId = replica.descriptor().rangeId();
        if (!replica.isLeading() || !underWay.add(rangeId)) {
            return;
        }
        CompletableFuture<Boolean> end;
        try {
            end = change.run();
        } catch (IOException | RuntimeException failure) {
            end = CompletableFuture.failedFuture(failure);
        }
        end.whenComplete(
                (changed, failure) -> {
                    underWay.remove(rangeId);
                    if (failure != null) {
                        LOG.warn("change of {} not done rangeId={}", what, rangeId, failure);
                    } else if (changed) {
                        // Else an order that asks for nothing would be called for at once again.
                        onChange.run();
                    }
                });
    }
}
