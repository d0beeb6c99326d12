package io.parterre.server.replica;

import io.parterre.concurrent.Alarm;
import io.parterre.concurrent.DaemonThreads;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.DeferredApply;
import io.parterre.server.lifecycle.DeferredApply.Neighbour;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the replicas of a node that wait for a neighbour: at once when the neighbour is
 * frozen, and periodically for everything else that may become of it. While a node runs, the
 * neighbour is frozen in time. After a start the neighbour may still be about to apply its log, and
 * need help, because its own Raft group may be gone on all other members. The committed entry that
 * absorbs the neighbour implies that the freeze is committed, and that this node had it on disk.
 * Safe for any thread; blocks none but at its close.
 */
public final class NeighbourWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NeighbourWatch.class);

    /** Longest time for which a neighbour may make no progress with its log. */
    public static final Duration STANDSTILL_MAX = Duration.ofSeconds(30);

    private static final Duration PERIOD = Duration.ofMillis(20);

    /** Threads for all replicas: few wait at a time, and each applies its deferred entries once. */
    private static final int THREADS = 2;

    private final Function<DeferredApply, Neighbour> sight;
    private final LongSupplier nanoTicker;
    private final BooleanSupplier closing;
    private final ExecutorService threads;
    private final Alarm alarm;
    private final Map<RangeId, Runnable> waiting = new ConcurrentHashMap<>();

    /**
     * Creates the watch of a node.
     *
     * @param sight returns the present neighbour of a waiting replica
     * @param closing whether the node closes
     * @param threads check neighbours and apply deferred entries
     */
    public NeighbourWatch(
            Function<DeferredApply, Neighbour> sight,
            LongSupplier nanoTicker,
            BooleanSupplier closing,
            ExecutorService threads,
            Alarm alarm) {
        this.sight = sight;
        this.nanoTicker = nanoTicker;
        this.closing = closing;
        this.threads = threads;
        this.alarm = alarm;
    }

    /** Creates a watch with its own threads. */
    public static NeighbourWatch start(
            Function<DeferredApply, Neighbour> sight,
            LongSupplier nanoTicker,
            BooleanSupplier closing,
            Alarm alarm) {
        return new NeighbourWatch(
                sight,
                nanoTicker,
                closing,
                Executors.newFixedThreadPool(THREADS, DaemonThreads.named("deferred-apply")),
                alarm);
    }

    public long nowNanos() {
        return nanoTicker.getAsLong();
    }

    /**
     * Registers a waiting replica.
     *
     * @param look has the replica check its neighbour again
     */
    public void waits(RangeId rangeId, Runnable look) {
        waiting.put(rangeId, look);
    }

    /** Removes a replica that no longer waits. */
    public void waitsNoMore(RangeId rangeId, Runnable look) {
        waiting.remove(rangeId, look);
    }

    /**
     * Notes that a range of this node has changed. If the range is frozen, its neighbour may wait
     * for that.
     */
    public void changed(RangeDescriptor range) {
        range.frozenFor().map(waiting::get).ifPresent(Runnable::run);
    }

    /**
     * Runs a task soon, on a thread that may apply entries; does not run it once the node closes.
     */
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.debug("left to the next start", closed);
        }
    }

    /**
     * Calls a replica back after a pause to check its neighbour again; running the result cancels
     * the call.
     */
    public Runnable again(Runnable look) {
        return alarm.in(PERIOD, look);
    }

    /** Returns the present neighbour of a waiting replica. */
    public Neighbour sight(DeferredApply wait) {
        return sight.apply(wait);
    }

    /** Returns what follows for a waiting replica, see {@link DeferredApply#on}. */
    public DeferredApply.Step step(
            DeferredApply wait, Neighbour seen, boolean ending, boolean copied) {
        return wait.on(
                seen,
                ending || closing.getAsBoolean(),
                copied,
                nanoTicker.getAsLong(),
                STANDSTILL_MAX);
    }

    /** Called after the groups have ended: waiting replicas have stopped by then. */
    @Override
    public void close() {
        threads.shutdownNow();
        if (!DaemonThreads.awaitEnd(threads, Duration.ofSeconds(10))) {
            LOG.warn("a deferred entry is still being applied at close");
        }
    }
}
