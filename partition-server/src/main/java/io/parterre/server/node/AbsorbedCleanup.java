package io.parterre.server.node;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes the rest of ranges that were absorbed: their Raft groups with logs, and their own rows.
 * Uses a separate thread, because the applying thread must not wait. A removal that is lost by a
 * failure or an end of the process is repeated by {@link ReplicaUpkeep#mend} and the next start.
 * Safe for any thread.
 */
final class AbsorbedCleanup implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AbsorbedCleanup.class);

    private final ReplicaMembership membership;
    private final Set<RangeId> queued = ConcurrentHashMap.newKeySet();
    private final ExecutorService thread =
            Executors.newSingleThreadExecutor(DaemonThreads.named("absorbed-cleanup"));

    AbsorbedCleanup(ReplicaMembership membership) {
        this.membership = membership;
    }

    /** Begins to remove the rest of a range that no longer exists; does not wait. */
    void begin(RangeId rangeId) {
        if (!queued.add(rangeId)) {
            return;
        }
        try {
            thread.execute(() -> run(rangeId));
        } catch (RejectedExecutionException closing) {
            LOG.debug("left to the next start rangeId={}", rangeId, closing);
        }
    }

    private void run(RangeId rangeId) {
        queued.remove(rangeId);
        try {
            membership.removeAbsorbed(rangeId);
        } catch (IOException | RuntimeException failure) {
            if (thread.isShutdown()) {
                LOG.debug("removal cut short at close rangeId={}", rangeId, failure);
            } else {
                LOG.warn("absorbed replica not removed rangeId={}", rangeId, failure);
            }
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
        if (!DaemonThreads.awaitEnd(thread, Duration.ofSeconds(10))) {
            LOG.warn("an absorbed replica is still being removed at close");
        }
    }
}
