package io.parterre.server;

import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.raft.Replicas;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a disk that hangs and gives no error. A leader whose own log stands still may go on,
 * since the others are a majority, until its memory is full of entries; and a follower counts as
 * one that it is not. So the node gives its leads away, says that its disk stalls, and ends at
 * last.
 *
 * <p>To look may hang as well, behind whoever waits for the disk under a lock; so it is done on
 * threads of their own, and a look that does not end counts as a log that stands still. Safe for
 * any thread.
 */
final class DiskWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final Duration RELIEF_INTERVAL = Duration.ofSeconds(1);
    private static final long IDLE = Long.MIN_VALUE;

    private final DiskConfig config;
    private final Replicas replicas;
    private final ServerStore store;
    private final LongSupplier nanoTicker;
    private final Runnable giveLeadsAway;
    private final Runnable onChange;
    private final Consumer<StoreFailure> onFailure;
    private final ScheduledExecutorService judge;
    private final ThreadPoolExecutor workers =
            new ThreadPoolExecutor(
                    0, 2, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), DiskWatch::daemon);
    private final AtomicLong lookingSinceNanos = new AtomicLong(IDLE);
    private final AtomicLong relievingSinceNanos = new AtomicLong(IDLE);
    private final AtomicLong stalledMillis = new AtomicLong();
    private volatile Duration logAge = Duration.ZERO;
    private volatile DiskState state = DiskState.WORKS;
    // Of the judging thread.
    private long relievedNanos;

    /**
     * A watch that has not begun.
     *
     * @param giveLeadsAway may block
     * @param onChange told when the disk begins to hang, and when it works again
     * @param onFailure told when it has hung for too long
     */
    DiskWatch(
            DiskConfig config,
            Replicas replicas,
            ServerStore store,
            LongSupplier nanoTicker,
            PartitionServerMetrics metrics,
            Runnable giveLeadsAway,
            Runnable onChange,
            Consumer<StoreFailure> onFailure) {
        this.config = config;
        this.replicas = replicas;
        this.store = store;
        this.nanoTicker = nanoTicker;
        this.giveLeadsAway = giveLeadsAway;
        this.onChange = onChange;
        this.onFailure = onFailure;
        this.judge = new ScheduledThreadPoolExecutor(1, DiskWatch::daemon);
        metrics.gauge(
                "partition_server_disk_stalled_seconds",
                "Time that the disk has not answered; 0: it works",
                stalledMillis,
                millis -> millis.get() / 1_000);
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "partition-disk-watch");
        thread.setDaemon(true);
        return thread;
    }

    void start() {
        judge.scheduleWithFixedDelay(
                this::judge, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Whether the disk hangs. */
    boolean isStalled() {
        return state.stalled();
    }

    /** Why the node should not lead; empty: it may. */
    Optional<String> trouble() {
        return state.stalled() ? Optional.of("its disk does not answer") : Optional.empty();
    }

    private void judge() {
        long nowNanos = nanoTicker.getAsLong();
        DiskState before = state;
        state = before.next(logAge(nowNanos), store.unfinishedAge(), config, nowNanos);
        stalledMillis.set(
                state.stalled()
                        ? 1 + TimeUnit.NANOSECONDS.toMillis(nowNanos - state.sinceNanos())
                        : 0);
        run(lookingSinceNanos, this::look);
        if (state.isLost(config, nowNanos)) {
            onFailure.accept(
                    new StoreFailure(
                            "disk of the node",
                            new IllegalStateException(
                                    "no answer for "
                                            + config.stalledAfter().plus(config.endAfter()))));
        } else if (state.stalled() && nowNanos - relievedNanos >= RELIEF_INTERVAL.toNanos()) {
            relievedNanos = nowNanos;
            run(relievingSinceNanos, giveLeadsAway);
        }
        if (state.stalled() != before.stalled()) {
            onChange.run();
            // Last: the log file may be on that disk.
            if (state.stalled()) {
                LOG.warn("disk does not answer, leads are given away");
            } else {
                LOG.info("disk answers again");
            }
        }
    }

    private Duration logAge(long nowNanos) {
        long looking = lookingSinceNanos.get();
        Duration hung = looking == IDLE ? Duration.ZERO : Duration.ofNanos(nowNanos - looking);
        return hung.compareTo(logAge) > 0 ? hung : logAge;
    }

    private void look() {
        logAge = replicas.logBacklogAge();
    }

    /** Unless the last time has not ended yet. */
    private void run(AtomicLong sinceNanos, Runnable task) {
        if (!sinceNanos.compareAndSet(IDLE, nanoTicker.getAsLong())) {
            return;
        }
        try {
            workers.execute(
                    () -> {
                        try {
                            task.run();
                        } catch (RuntimeException failure) {
                            LOG.warn("disk watch hindered", failure);
                        } finally {
                            sinceNanos.set(IDLE);
                        }
                    });
        } catch (RejectedExecutionException closing) {
            sinceNanos.set(IDLE);
            LOG.debug("disk watch is closing", closing);
        }
    }

    @Override
    public void close() {
        judge.shutdownNow();
        workers.shutdownNow();
    }
}
