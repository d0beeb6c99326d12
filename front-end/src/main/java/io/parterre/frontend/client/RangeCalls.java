package io.parterre.frontend.client;

import static io.parterre.frontend.call.CallMemory.UNCOUNTED;

import io.opentelemetry.api.trace.Tracer;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.route.Router;
import io.parterre.key.Key;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Starts requests to ranges and tracks them to their end. Thread-safe. */
final class RangeCalls implements RangeReads {
    private final ManagerWatch watch;
    private final RangeStreams streams;
    private final ClusterClientConfig config;
    private final Router router;
    private final ScheduledExecutorService timer;
    private final LongSupplier nanos;
    private final DoubleSupplier jitter;
    private final Supplier<Executor> callbacks;
    private final Consumer<String> setbacks;
    private final Tracer tracer;
    private final SilentNodes silentNodes;
    private final AtomicLong turns = new AtomicLong();
    private final AtomicLong requestIds = new AtomicLong();
    private final AtomicInteger running = new AtomicInteger();
    private final Set<RangeCall> waiting = ConcurrentHashMap.newKeySet();

    /** The waiting calls for which no leader was found; almost always empty. */
    private final Set<RangeCall> seeking = ConcurrentHashMap.newKeySet();

    /** For each range without a known leader, the one call that asks its members most often. */
    private final Map<RangeId, RangeCall> leaderProbes = new ConcurrentHashMap<>();

    private volatile boolean closed;
    private volatile long heardNanos;

    RangeCalls(
            ManagerWatch watch,
            RangeStreams streams,
            ClusterClientConfig config,
            ScheduledExecutorService timer,
            LongSupplier nanos,
            DoubleSupplier jitter,
            Supplier<Executor> callbacks,
            Consumer<String> setbacks,
            Tracer tracer) {
        this.watch = watch;
        this.streams = streams;
        this.config = config;
        this.router = new Router(config.retries());
        this.timer = timer;
        this.nanos = nanos;
        this.jitter = jitter;
        this.callbacks = callbacks;
        this.setbacks = setbacks;
        this.tracer = tracer;
        this.silentNodes = new SilentNodes(nanos);
        this.heardNanos = nanos.getAsLong();
    }

    /** Reads at the leader; linearizable. */
    @Override
    public CompletableFuture<RangeAnswer> read(Key key, Deadline deadline, RangeBody body) {
        return start(key, deadline, body, RangeCall.Kind.READ, Duration.ZERO, UNCOUNTED);
    }

    /** Scans at the leader; linearizable. */
    @Override
    public CompletableFuture<RangeAnswer> scan(
            Key key, Deadline deadline, Duration time, CallMemory memory, RangeBody body) {
        return start(key, deadline, body, RangeCall.Kind.READ, time, memory);
    }

    /** Reads for up to {@code time} at any member; the answer may be stale. */
    CompletableFuture<RangeAnswer> readAnywhere(
            Key key, Deadline deadline, Duration time, CallMemory memory, RangeBody body) {
        return start(key, deadline, body, RangeCall.Kind.STALE_READ, time, memory);
    }

    /**
     * Reads at any member that can state the staleness of its answer. Members that cannot are asked
     * again, with pauses. After two seconds an answer without staleness is accepted. The answer may
     * be that the table is deleted.
     */
    CompletableFuture<RangeAnswer> readAged(Key key, Deadline deadline, RangeBody body) {
        return start(key, deadline, body, RangeCall.Kind.AGED_READ, Duration.ZERO, UNCOUNTED);
    }

    /** Sends a command. The body must be the same for each attempt. */
    CompletableFuture<RangeAnswer> write(Key key, Deadline deadline, RangeBody body) {
        return start(key, deadline, body, RangeCall.Kind.WRITE, Duration.ZERO, UNCOUNTED);
    }

    /**
     * Starts a request, which ends with the answer, a {@link StorageException} or a {@link
     * ScopeFencedException}.
     *
     * @param key the request goes to the range that holds this key
     */
    private CompletableFuture<RangeAnswer> start(
            Key key,
            Deadline deadline,
            RangeBody body,
            RangeCall.Kind kind,
            Duration time,
            CallMemory memory) {
        if (running.incrementAndGet() > config.callsMax()) {
            running.decrementAndGet();
            return CompletableFuture.failedFuture(new StorageException(ErrorCode.SERVER_BUSY));
        }
        RangeCall call =
                new RangeCall(this, key, deadline, body, kind, time, memory, callbacks.get());
        call.attempt();
        return call.result();
    }

    /**
     * Makes a call retry after a pause.
     *
     * @return false if the call will not be woken, because the front end closes
     */
    boolean tryLater(RangeCall call, Duration delay) {
        waiting.add(call);
        Duration pause = delay;
        if (call.seeksLeader()) {
            if (leaderProbes.putIfAbsent(call.rangeId(), call) == null) {
                pause = config.retries().scoutDelay(delay, call.age());
            }
            // Last, because a thread that finds the call in this set may wake it, and waking
            // removes it from the leaderProbes.
            seeking.add(call);
        }
        try {
            timer.schedule(() -> wake(call), pause.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException closing) {
            seekNoMore(call);
            return !waiting.remove(call);
        }
        return true;
    }

    private void wake(RangeCall call) {
        if (waiting.remove(call)) {
            seekNoMore(call);
            call.wake();
        }
    }

    private void seekNoMore(RangeCall call) {
        if (seeking.remove(call)) {
            leaderProbes.remove(call.rangeId(), call);
        }
    }

    /**
     * Wakes the calls that wait for a leader known now, after an update of a manager. Hints of
     * members wake no call, because members name a leader that is gone for a long time.
     */
    void leadersTold() {
        for (RangeCall call : seeking) {
            if (call.knowsLeader()) {
                wake(call);
            }
        }
    }

    /** Wakes the calls that wait for a leader of this range, after a leader of it has answered. */
    void leaderAnswered(RangeId rangeId) {
        if (seeking.isEmpty()) {
            // Nearly always the case. Iterating over an empty set that was large once takes long.
            return;
        }
        for (RangeCall call : seeking) {
            if (call.rangeId().equals(rangeId) && call.knowsLeader()) {
                wake(call);
            }
        }
    }

    /** Notes that a node has answered, with any answer. */
    void heard() {
        heardNanos = nanos.getAsLong();
    }

    /** Returns the time since a node last answered, or since the start. */
    Duration silence() {
        return Duration.ofNanos(nanos.getAsLong() - heardNanos);
    }

    boolean isClosed() {
        return closed;
    }

    /** Ends the waiting calls; calls in flight end with their streams. */
    void close() {
        closed = true;
        for (RangeCall call : waiting) {
            wake(call);
        }
    }

    void ended() {
        running.decrementAndGet();
    }

    /**
     * Counts only the reads that any member may answer, because the count gives members their
     * turns.
     */
    long nextTurn() {
        return turns.incrementAndGet();
    }

    long nextRequestId() {
        return requestIds.incrementAndGet();
    }

    ManagerWatch watch() {
        return watch;
    }

    RangeStreams streams() {
        return streams;
    }

    @Override
    public ClusterClientConfig config() {
        return config;
    }

    Router router() {
        return router;
    }

    long nowNanos() {
        return nanos.getAsLong();
    }

    double jitter() {
        return jitter.getAsDouble();
    }

    SilentNodes silentNodes() {
        return silentNodes;
    }

    Tracer tracer() {
        return tracer;
    }

    Consumer<String> setbacks() {
        return setbacks;
    }
}
