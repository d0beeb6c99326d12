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
 * Looks after the replicas of a node that wait for a neighbour: at once when it is frozen, and
 * every now and then for all else that may become of it. While a node runs, the neighbour is frozen
 * in time. After a start it may still be about to apply its log, and need help: its own Raft group
 * may be gone on all other members. What is committed in the log of the range that absorbs it says
 * that the freeze is committed, and that this node had it on disk. Safe for any thread; blocks none
 * but at its close.
 */
public final class NeighbourWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NeighbourWatch.class);

    /** For a neighbour that does not get on with its log. */
    public static final Duration STANDSTILL_MAX = Duration.ofSeconds(30);

    private static final Duration PERIOD = Duration.ofMillis(20);

    /** Of all replicas: few wait at a time, and each applies what it deferred once. */
    private static final int THREADS = 2;

    private final Function<DeferredApply, Neighbour> sight;
    private final LongSupplier nanoTicker;
    private final BooleanSupplier closing;
    private final ExecutorService threads;
    private final Alarm alarm;
    private final Map<RangeId, Runnable> waiting = new ConcurrentHashMap<>();

    /**
     * Waits of a node.
     *
     * @param sight the neighbour of a replica that waits, as it is
     * @param closing whether the node closes
     * @param threads look at neighbours, and apply what was deferred
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

    /** With threads of its own. */
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

    /** A replica waits from here on: it is to look when there may be something to see. */
    public void waits(RangeId rangeId, Runnable look) {
        waiting.put(rangeId, look);
    }

    /** It waits no more. */
    public void waitsNoMore(RangeId rangeId, Runnable look) {
        waiting.remove(rangeId, look);
    }

    /** A range of this node is another one: if it is frozen, its neighbour may wait for that. */
    public void changed(RangeDescriptor range) {
        range.frozenFor().map(waiting::get).ifPresent(Runnable::run);
    }

    /** Runs soon, on a thread that may apply entries; not at all once the node closes. */
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException closed) {
            LOG.debug("left to the next start", closed);
        }
    }

    /** Has a replica look again; the answer cancels it. */
    public Runnable again(Runnable look) {
        return alarm.in(PERIOD, look);
    }

    /** The neighbour as it is. */
    public Neighbour sight(DeferredApply wait) {
        return sight.apply(wait);
    }

    /** What follows for a replica that waits, see {@link DeferredApply#on}. */
    public DeferredApply.Step step(
            DeferredApply wait, Neighbour seen, boolean ending, boolean copied) {
        return wait.on(
                seen,
                ending || closing.getAsBoolean(),
                copied,
                nanoTicker.getAsLong(),
                STANDSTILL_MAX);
    }

    /** Comes after the groups have ended: what waits has stopped by then. */
    @Override
    public void close() {
        threads.shutdownNow();
        if (!DaemonThreads.awaitEnd(threads, Duration.ofSeconds(10))) {
            LOG.warn("a deferred entry is still being applied at close");
        }
    }
}
