package io.parterre.server.rpc;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.RowsAt;
import io.parterre.server.rows.RowsDigest;
import io.parterre.server.store.StoreException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Digests of this node's replicas, for the node that compares. Safe for any thread; {@link #ask}
 * never blocks. One thread takes a snapshot of the rows as soon as the entry is applied. Another
 * thread reads the rows, one replica after the other and at the configured rate.
 */
public final class ReplicaDigests implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaDigests.class);

    /** Digests that may be under way at a time; each may keep a snapshot of the store. */
    static final int HELD_MAX = 4;

    /** Bytes read between two waits for the pace. */
    private static final int STEP_BYTES = 64 << 10;

    private static final Duration CLOSE_WAIT = Duration.ofSeconds(10);

    private final CompareConfig config;
    private final Replicas replicas;
    private final String release;
    private final ScheduledExecutorService timer;
    private final PartitionServerMetrics metrics;
    private final LongSupplier nanoTicker;
    private final BytePace pace;
    private final ExecutorService asking = thread("partition-compare-ask", Thread.NORM_PRIORITY);
    private final ExecutorService reading = thread("partition-compare-read", Thread.MIN_PRIORITY);
    private final Set<Work> held = ConcurrentHashMap.newKeySet();

    /**
     * Digests of a node's replicas.
     *
     * @param release release of this node
     * @param timer ends waits that take too long; nothing blocks there
     */
    public ReplicaDigests(
            CompareConfig config,
            Replicas replicas,
            String release,
            ScheduledExecutorService timer,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker) {
        this.config = config;
        this.replicas = replicas;
        this.release = release;
        this.timer = timer;
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
        this.pace = new BytePace(config.bytesPerSecondMax());
    }

    private static ExecutorService thread(String name, int priority) {
        return Executors.newSingleThreadExecutor(
                task -> {
                    Thread created = DaemonThreads.unstarted(name, task);
                    created.setPriority(priority);
                    return created;
                });
    }

    /**
     * Returns the digest of a replica at exactly one log entry.
     *
     * @param generation the range's generation at the asking node
     * @param format digest format of the asking node
     * @param asker release of the asking node
     * @param wait longest wait for the entry to be applied; cut to the longest age of a snapshot
     * @return never fails; if cancelled, the work stops
     */
    public CompletableFuture<MemberAnswer> ask(
            RangeId rangeId,
            Generation generation,
            long index,
            int format,
            String asker,
            Duration wait) {
        if (config.isOff()) {
            return none(Why.OFF);
        }
        if (format != RowsDigest.FORMAT || !asker.equals(release)) {
            return none(Why.OTHER_RELEASE);
        }
        Optional<Replica> replica =
                replicas.find(rangeId)
                        .filter(Replica::hasGroup)
                        .filter(each -> each.damage().isEmpty());
        if (replica.isEmpty()) {
            return none(Why.ABSENT);
        }
        Work work = new Work(rangeId, index, generation);
        if (!admitted(work)) {
            return none(Why.BUSY);
        }
        try {
            asking.execute(() -> replica.get().rows().await(work.rows));
            ScheduledFuture<?> end =
                    timer.schedule(
                            () -> work.rows.miss(Why.NOT_REACHED),
                            Math.min(wait.toMillis(), config.snapshotAgeMax().toMillis()),
                            TimeUnit.MILLISECONDS);
            // The answer cancels the timer's task, which would otherwise stay in the timer.
            work.answer.whenComplete((given, failure) -> end.cancel(false));
        } catch (RejectedExecutionException closing) {
            LOG.debug("not compared: the node is closing", closing);
            work.rows.miss(Why.CHANGED);
        }
        return work.answer;
    }

    private synchronized boolean admitted(Work work) {
        return held.size() < HELD_MAX && held.add(work);
    }

    private static CompletableFuture<MemberAnswer> none(Why why) {
        return CompletableFuture.completedFuture(new MemberAnswer.None(why));
    }

    private final class Work {
        final RangeId rangeId;
        final RowsAt rows;
        final CompletableFuture<MemberAnswer> answer = new CompletableFuture<>();
        private volatile long takenNanos;
        private int unpacedBytes;

        /** Whether the rows are being read, or were. Guarded by this. */
        private boolean begun;

        Work(RangeId rangeId, long index, Generation generation) {
            this.rangeId = rangeId;
            this.rows = new RowsAt(index, generation, this::settled);
            answer.whenComplete((given, failure) -> ended());
        }

        /** The caller has the answer, or no longer wants one. */
        private synchronized void ended() {
            if (!begun) {
                begun = true;
                rows.close();
                held.remove(this);
            }
        }

        /** May run on the thread that applies entries. */
        private void settled(Optional<Why> missed) {
            takenNanos = nanoTicker.getAsLong();
            try {
                if (missed.isPresent()) {
                    timer.execute(() -> answer.complete(new MemberAnswer.None(missed.get())));
                } else {
                    reading.execute(this::read);
                    // While other reads come first, the snapshot may become too old before it is
                    // read.
                    ScheduledFuture<?> end =
                            timer.schedule(
                                    this::missTurn,
                                    config.snapshotAgeMax().toMillis(),
                                    TimeUnit.MILLISECONDS);
                    answer.whenComplete((given, failure) -> end.cancel(false));
                }
            } catch (RejectedExecutionException closing) {
                LOG.debug("not compared: the node is closing", closing);
            }
        }

        private void missTurn() {
            synchronized (this) {
                if (begun) {
                    return;
                }
            }
            answer.complete(new MemberAnswer.None(Why.LATE));
        }

        private void read() {
            synchronized (this) {
                if (begun) {
                    return;
                }
                begun = true;
            }
            MemberAnswer given = new MemberAnswer.None(Why.CHANGED);
            try (RowsAt kept = rows) {
                given = kept.read(this::paced);
            } catch (TooLateException late) {
                LOG.info("rows not read in time to be compared rangeId={}", rangeId);
                given = new MemberAnswer.None(Why.LATE);
            } catch (IOException | StoreException failure) {
                LOG.debug("replica not read rangeId={}", rangeId, failure);
            } catch (RuntimeException failure) {
                LOG.warn("replica not read rangeId={}", rangeId, failure);
            } finally {
                // Also runs after an error, which the thread reports.
                held.remove(this);
                answer.complete(given);
            }
            if (given instanceof MemberAnswer.Held there) {
                metrics.comparedRows(
                        there.digest().bytes(),
                        Duration.ofNanos(nanoTicker.getAsLong() - takenNanos));
            }
        }

        private void paced(int bytes) throws IOException {
            unpacedBytes += bytes;
            if (unpacedBytes < STEP_BYTES) {
                return;
            }
            long nowNanos = nanoTicker.getAsLong();
            long waitNanos = pace.reserve(nowNanos, unpacedBytes);
            unpacedBytes = 0;
            if (nowNanos + waitNanos - takenNanos > config.snapshotAgeMax().toNanos()) {
                throw new TooLateException();
            }
            if (answer.isDone() || reading.isShutdown() || isEndedWithin(waitNanos)) {
                throw new InterruptedIOException("nobody waits for it");
            }
        }

        private boolean isEndedWithin(long nanos) throws IOException {
            try {
                answer.get(nanos, TimeUnit.NANOSECONDS);
                return true;
            } catch (TimeoutException itsTurn) {
                return false;
            } catch (CancellationException | ExecutionException ended) {
                return true;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new InterruptedIOException("interrupted");
            }
        }
    }

    private static final class TooLateException extends IOException {
        private static final long serialVersionUID = 1;

        TooLateException() {
            super("rows of one moment were kept for too long");
        }
    }

    /** Releases all snapshots. Must be called before the store is closed. */
    @Override
    public void close() {
        asking.shutdownNow();
        reading.shutdownNow();
        if (!DaemonThreads.awaitEnd(reading, CLOSE_WAIT)) {
            LOG.warn("a replica is still read at close");
            return;
        }
        for (Work work : held) {
            work.answer.complete(new MemberAnswer.None(Why.CHANGED));
        }
    }
}
