package io.parterre.server.lead;

import io.parterre.range.RangeId;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.metrics.PartitionServerMetrics.ChangeEnd;
import io.parterre.server.metrics.PartitionServerMetrics.MemberStep;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
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
    private final PartitionServerMetrics metrics;
    private final LongSupplier nanoTicker;
    private final Runnable onChange;

    /**
     * Changes on this node.
     *
     * @param onChange told when a change has ended
     */
    RangeChanges(PartitionServerMetrics metrics, LongSupplier nanoTicker, Runnable onChange) {
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
        this.onChange = onChange;
    }

    /** A change of one range. */
    interface Change {
        /** Whether it did anything, once it has ended. */
        CompletableFuture<Boolean> run() throws IOException;
    }

    /** Whether one of the range is. */
    boolean isUnderWay(RangeId rangeId) {
        return underWay.contains(rangeId);
    }

    /**
     * Begins a change if the range is led here and none of it is under way.
     *
     * @return whether it has
     */
    boolean begin(LedReplica replica, MemberStep what, Change change) {
        RangeId rangeId = replica.descriptor().rangeId();
        if (!replica.isLeading() || !underWay.add(rangeId)) {
            return false;
        }
        long beganNanos = nanoTicker.getAsLong();
        CompletableFuture<Boolean> end;
        try {
            end = change.run();
        } catch (IOException | RuntimeException failure) {
            end = CompletableFuture.failedFuture(failure);
        }
        end.whenComplete(
                (changed, failure) -> {
                    underWay.remove(rangeId);
                    metrics.changed(
                            what,
                            failure != null
                                    ? ChangeEnd.FAILED
                                    : changed ? ChangeEnd.DONE : ChangeEnd.NOTHING,
                            Duration.ofNanos(nanoTicker.getAsLong() - beganNanos));
                    if (failure != null) {
                        notDone(what, rangeId, failure);
                    } else if (changed) {
                        // Only real changes: a no-op order would have the manager repeat it at
                        // once.
                        onChange.run();
                    }
                });
        return true;
    }

    /** Those that name the cluster's state as their reason say all in a line. */
    private static void notDone(MemberStep what, RangeId rangeId, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof IOException || cause instanceof TimeoutException) {
            LOG.warn("change of {} not done rangeId={} reason={}", what, rangeId, reason(cause));
        } else {
            LOG.warn("change of {} not done rangeId={}", what, rangeId, failure);
        }
    }

    private static String reason(Throwable cause) {
        return cause.getMessage() == null
                ? cause.getClass().getSimpleName()
                : cause.getMessage().lines().findFirst().orElse("");
    }
}
