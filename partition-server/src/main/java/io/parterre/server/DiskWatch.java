package io.parterre.server;

import io.parterre.concurrent.DaemonThreads;
import io.parterre.error.BusyReason;
import io.parterre.range.RangeId;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.node.Replicas;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Notices a disk that hangs without an error. A leader whose own log stands still may go on until
 * its memory is full of entries, because the other members are a majority. A follower counts as one
 * that has the entries, and does not. The node therefore transfers its leadership, reports that its
 * disk stalls, and finally ends. If its end would help nobody, the node refuses writes for a while
 * instead, see {@link DiskAction}.
 *
 * <p>A measurement may hang as well, behind a thread that waits for the disk under a lock.
 * Measurements therefore run on threads of their own, and a measurement that does not end counts as
 * a log that stands still. Safe for any thread.
 */
final class DiskWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DiskWatch.class);
    private static final Duration INTERVAL = Duration.ofMillis(250);
    private static final ThreadFactory THREADS = DaemonThreads.named("partition-disk-watch");
    private static final Duration RELIEF_INTERVAL = Duration.ofSeconds(1);
    private static final long IDLE = Long.MIN_VALUE;

    /**
     * One thread for each kind of task, and some more for tasks that hang while they write a line
     * of the process's log.
     */
    private static final int WORKERS_MAX = 6;

    private final DiskConfig config;
    private final Replicas replicas;
    private final ServerStore store;
    private final LongSupplier nanoTicker;
    private final LeadershipHandOver handOver;
    private final Duration backOff;
    private final BooleanSupplier lacksRoom;
    private final Runnable onChange;
    private final Consumer<StoreFailure> onFailure;
    private final ScheduledExecutorService judge;
    private final ThreadPoolExecutor workers =
            new ThreadPoolExecutor(
                    0, WORKERS_MAX, 10, TimeUnit.SECONDS, new SynchronousQueue<>(), THREADS);
    private final AtomicLong lookingSinceNanos = new AtomicLong(IDLE);
    private final AtomicLong relievingSinceNanos = new AtomicLong(IDLE);
    private final AtomicLong weighingSinceNanos = new AtomicLong(IDLE);
    private final AtomicLong stalledMillis = new AtomicLong();
    private final AtomicLong tellingSinceNanos = new AtomicLong(IDLE);
    private volatile Duration logAge = Duration.ZERO;
    private volatile DiskState state = DiskState.WORKS;
    private volatile boolean full;

    /** The ranges that go on without this node; determined only while the disk hangs. */
    private volatile Dispensable dispensable = Dispensable.NOTHING;

    /**
     * Ranges that go on without this node.
     *
     * @param all whether these are all ranges of the node
     */
    private record Dispensable(Set<RangeId> ranges, boolean all) {
        static final Dispensable NOTHING = new Dispensable(Set.of(), false);
    }

    // Confined to the judging thread, with the two fields below.
    private long relievedNanos;
    private int reliefs;
    private Wakefulness wakefulness;

    /**
     * Makes a watch that does not run yet.
     *
     * @param random 0 to 1, different for each process
     * @param lacksRoom whether logs find no room; never blocks
     * @param onChange runs when the disk begins to hang, and when it works again
     * @param onFailure receives the failure when the disk has hung for too long
     * @param judge the watch's own thread from here on
     */
    DiskWatch(
            DiskConfig config,
            Replicas replicas,
            ServerStore store,
            LongSupplier nanoTicker,
            double random,
            PartitionServerMetrics metrics,
            BooleanSupplier lacksRoom,
            LeadershipHandOver handOver,
            Runnable onChange,
            Consumer<StoreFailure> onFailure,
            ScheduledExecutorService judge) {
        this.config = config;
        this.replicas = replicas;
        this.store = store;
        this.nanoTicker = nanoTicker;
        this.lacksRoom = lacksRoom;
        this.handOver = handOver;
        this.backOff = config.backOff(random);
        this.wakefulness = Wakefulness.at(nanoTicker.getAsLong());
        this.onChange = onChange;
        this.onFailure = onFailure;
        this.judge = judge;
        metrics.gauge(
                "partition_server_disk_stalled_seconds",
                "Time that the disk has not answered; 0: it works",
                stalledMillis,
                millis -> millis.get() / 1_000);
    }

    void start() {
        judge.scheduleWithFixedDelay(
                this::judge, INTERVAL.toMillis(), INTERVAL.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Returns whether the disk hangs, or takes nothing because it is full. */
    boolean isStalled() {
        return state.stalled() || full;
    }

    /** Returns the reason why the node should not lead; empty: it may. */
    Optional<String> trouble() {
        if (state.stalled()) {
            return Optional.of("its disk does not answer");
        }
        return full ? Optional.of("its disk is full") : Optional.empty();
    }

    private void judge() {
        long nowNanos = nanoTicker.getAsLong();
        wakefulness = wakefulness.look(gapMax(), nowNanos);
        boolean before = isStalled();
        full = store.isFull() || lacksRoom.getAsBoolean();
        DiskState known = wakefulness.hasJustWoken() ? DiskState.WORKS : state;
        state =
                known.next(
                        wakefulness.counted(logAge(nowNanos)),
                        wakefulness.counted(store.unfinishedAge()),
                        config,
                        nowNanos);
        stalledMillis.set(
                state.stalled()
                        ? 1 + TimeUnit.NANOSECONDS.toMillis(nowNanos - state.sinceNanos())
                        : 0);
        run(lookingSinceNanos, this::look);
        act(DiskAction.of(state, full, dispensable.all(), config, backOff, nowNanos), nowNanos);
        if (isStalled() != before) {
            onChange.run();
            boolean stalled = isStalled();
            // Another thread logs, because the log file may be on that disk and this thread has to
            // end the node.
            run(tellingSinceNanos, () -> tell(stalled));
        }
    }

    private static void tell(boolean stalled) {
        if (stalled) {
            LOG.warn("disk does not answer or is full, leadership is transferred");
        } else {
            LOG.info("disk answers again and has room");
        }
    }

    /**
     * Returns the longest normal gap between two measurements. One measurement may be late on a
     * busy machine.
     */
    private Duration gapMax() {
        Duration half = config.stalledAfter().dividedBy(2);
        Duration least = INTERVAL.multipliedBy(4);
        return half.compareTo(least) > 0 ? half : least;
    }

    private void act(DiskAction action, long nowNanos) {
        Set<RangeId> spared = dispensable.ranges();
        replicas.admission()
                .refuseWrites(
                        BusyReason.DISK,
                        rangeId -> action == DiskAction.RELIEVE && !spared.contains(rangeId));
        if (action != DiskAction.NOTHING) {
            run(weighingSinceNanos, this::weigh);
        }
        switch (action) {
            case NOTHING -> {
                if (reliefs > 0) {
                    replicas.stalls().allowCandidacy();
                }
                reliefs = 0;
                dispensable = Dispensable.NOTHING;
            }
            case RELIEVE -> {
                if (!spared.isEmpty() && nowNanos - relievedNanos >= RELIEF_INTERVAL.toNanos()) {
                    relievedNanos = nowNanos;
                    int times = reliefs++;
                    run(relievingSinceNanos, () -> handOver.of(spared::contains, times));
                }
            }
            case END ->
                    onFailure.accept(
                            new StoreFailure(
                                    "disk of the node",
                                    new IllegalStateException(
                                            "no answer for "
                                                    + Duration.ofNanos(
                                                                    nowNanos - state.sinceNanos())
                                                            .plus(config.stalledAfter()))));
        }
    }

    private Duration logAge(long nowNanos) {
        long looking = lookingSinceNanos.get();
        Duration hung = looking == IDLE ? Duration.ZERO : Duration.ofNanos(nowNanos - looking);
        return hung.compareTo(logAge) > 0 ? hung : logAge;
    }

    private void weigh() {
        Set<RangeId> ranges = replicas.stalls().rangesThatSurviveWithoutNode();
        boolean all =
                replicas.all().stream()
                        .allMatch(each -> ranges.contains(each.descriptor().rangeId()));
        if (isStalled()) {
            dispensable = new Dispensable(ranges, all);
        }
    }

    private void look() {
        logAge = replicas.stalls().logBacklogAge();
    }

    /** Runs the task unless its last run has not ended yet. */
    private void run(AtomicLong sinceNanos, Runnable task) {
        if (!sinceNanos.compareAndSet(IDLE, nanoTicker.getAsLong())) {
            return;
        }
        try {
            workers.execute(
                    () -> {
                        Optional<RuntimeException> hindrance = Optional.empty();
                        try {
                            task.run();
                        } catch (RuntimeException failure) {
                            hindrance = Optional.of(failure);
                        } finally {
                            sinceNanos.set(IDLE);
                        }
                        // Logged last, because the log file may be on the disk that hangs.
                        hindrance.ifPresent(cause -> LOG.warn("disk watch hindered", cause));
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
