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
 * Changes of members, leadership and bounds of the ranges that this node leads. Only one change of
 * a range is under way at a time, so that no change is decided on a state that another is about to
 * change. Nothing here blocks. Safe for any thread.
 */
final class RangeChanges {
    private static final Logger LOG = LoggerFactory.getLogger(RangeChanges.class);

    private final Set<RangeId> underWay = ConcurrentHashMap.newKeySet();
    private final PartitionServerMetrics metrics;
    private final LongSupplier nanoTicker;
    private final Runnable onChange;

    /**
     * Creates the changes of a node.
     *
     * @param onChange called when a change has ended that did something
     */
    RangeChanges(PartitionServerMetrics metrics, LongSupplier nanoTicker, Runnable onChange) {
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
        this.onChange = onChange;
    }

    /** A change of one range. */
    interface Change {
        /** Runs the change; the future ends with whether it did anything. */
        CompletableFuture<Boolean> run() throws IOException;
    }

    /** Whether a change of the range is under way. */
    boolean isUnderWay(RangeId rangeId) {
        return underWay.contains(rangeId);
    }

    /**
     * Begins a change if this node leads the range and no other change of it is under way.
     *
     * @return whether the change has begun
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
                        // Only for real changes, because after an order without effect the manager
                        // would repeat it at once.
                        onChange.run();
                    }
                });
        return true;
    }

    /**
     * Failures that give the cluster's state as their reason need only one line, without a stack
     * trace.
     */
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
