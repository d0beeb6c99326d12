package io.parterre.frontend.client;

import io.parterre.error.BusyReason;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.route.Attempts;
import io.parterre.frontend.route.NextStep;
import io.parterre.frontend.route.RangeMap;
import io.parterre.frontend.route.Router;
import io.parterre.frontend.route.Setback;
import io.parterre.frontend.route.Target;
import io.parterre.key.Key;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One request through all its attempts: sends it, learns from each answer, and does what the {@link
 * Router} decides. Only one attempt is in flight at a time, so two threads never run in this class
 * at once.
 */
final class RangeCall implements OutboundRequest.Listener {
    private static final Logger LOG = LoggerFactory.getLogger(RangeCall.class);

    /** What a request does, and which members may answer it. */
    enum Kind {
        READ,
        /** A read that any member may answer. */
        STALE_READ,
        /**
         * A read that any member may answer that can state the staleness of its answer. If none can
         * for some time, any member may answer. That the table is deleted is a valid answer.
         */
        AGED_READ,
        WRITE;

        boolean mayBeStale() {
            return this == STALE_READ || this == AGED_READ;
        }
    }

    /**
     * How long an answer without staleness is rejected for an {@link Kind#AGED_READ}. Members of a
     * range that has just been created, or that have just started, can state staleness once they
     * have heard from the range's leader.
     */
    private static final Duration AGE_PATIENCE = Duration.ofSeconds(2);

    private final RangeCalls calls;
    private final Key key;
    private final Deadline deadline;
    private final RangeBody body;
    private final Duration time;
    private final CallMemory memory;
    private final Executor home;
    private final Kind kind;
    private final long spread;
    private final long begunNanos;
    private final CallTrace trace;

    /** Members asked so far, for a read that any member may answer. */
    private final Set<NodeId> tried = new HashSet<>();

    private final CompletableFuture<RangeAnswer> result = new CompletableFuture<>();
    private Attempts attempts;
    private Target target;
    private Optional<Setback> last = Optional.empty();
    private boolean over;

    /**
     * Whether memory for the arrived rows is lacking. Written before the request's thread is told
     * of the rows.
     */
    private volatile boolean unpaid;

    RangeCall(
            RangeCalls calls,
            Key key,
            Deadline deadline,
            RangeBody body,
            Kind kind,
            Duration time,
            CallMemory memory,
            Executor home) {
        this.calls = calls;
        this.key = key;
        this.deadline = deadline;
        this.body = body;
        this.time = time;
        this.memory = memory;
        this.home = home;
        this.kind = kind;
        this.spread = kind.mayBeStale() ? calls.nextTurn() : 0;
        this.begunNanos = calls.nowNanos();
        this.trace = new CallTrace(calls.tracer());
        this.attempts = Attempts.none(kind == Kind.WRITE);
    }

    CompletableFuture<RangeAnswer> result() {
        return result;
    }

    void attempt() {
        try {
            tryOnce();
        } catch (RuntimeException bug) {
            LOG.error("request not sent", bug);
            fail(ErrorCode.INTERNAL_ERROR);
        }
    }

    private void tryOnce() {
        long leftNanos = deadline.leftNanos();
        if (leftNanos <= 0 || calls.isClosed()) {
            fail(Router.outOfTime(attempts));
            return;
        }
        ClusterView view = calls.watch().view();
        Optional<Target> route = route(view.map());
        Optional<String> address =
                route.flatMap(to -> Optional.ofNullable(view.addresses().get(to.node())));
        if (address.isEmpty()) {
            setback(new Setback.Unrouted());
            return;
        }
        target = route.get();
        tried.add(target.node());
        boolean sent =
                calls.streams()
                        .send(
                                target.node(),
                                address.get(),
                                message(leftNanos),
                                calls.nowNanos() + patienceNanos(leftNanos),
                                home,
                                this);
        if (!sent) {
            setback(new Setback.Overloaded());
        }
    }

    private Optional<Target> route(RangeMap map) {
        if (!kind.mayBeStale()) {
            return calls.router().target(map, key, attempts);
        }
        if (map.find(key).filter(range -> tried.containsAll(range.members())).isPresent()) {
            tried.clear();
        }
        return calls.router().anyMember(map, key, tried, calls.silentNodes().now(), spread);
    }

    private RangeRequest message(long leftNanos) {
        RangeRequest.Builder request =
                RangeRequest.newBuilder()
                        .setRequestId(calls.nextRequestId())
                        .setRangeId(target.range().rangeId().value())
                        .setGeneration(target.range().generation().value())
                        .setTimeLeftMillis((int) Math.max(1, leftNanos / 1_000_000))
                        .setFollowerRead(kind.mayBeStale());
        body.put(request, target.range());
        trace.sending(request, target, kind);
        return request.build();
    }

    /**
     * Returns how long to wait for the target. If there is no other member to ask, a repeat would
     * only add work for a slow member, so the wait lasts until the deadline.
     */
    private long patienceNanos(long leftNanos) {
        if (target.range().members().size() == 1) {
            return leftNanos;
        }
        Duration silence =
                calls.router()
                        .silenceMax(
                                calls.config().attemptTimeout(),
                                calls.streams().isSilent(target.node()));
        return Math.min(leftNanos, silence.plus(time).toNanos());
    }

    @Override
    public void arrived(RangeResponse response) {
        unpaid = response.hasScanPage() && !memory.gather(response.getScanPage().getRows().size());
    }

    @Override
    public void answered(RangeResponse response) {
        calls.heard();
        calls.silentNodes().answered(target.node());
        try {
            take(response);
        } catch (IllegalArgumentException malformed) {
            LOG.error("answer of node not understood nodeId={}", target.node(), malformed);
            setback(new Setback.Failed(ErrorCode.INTERNAL_ERROR));
        }
    }

    private void take(RangeResponse response) {
        if (unpaid) {
            // The rows are discarded unread, and a repeat would only bring the same rows again.
            last = Optional.of(new Setback.Overloaded());
            fail(ErrorCode.SERVER_BUSY);
            return;
        }
        switch (response.getBodyCase()) {
            case ROW, SCAN_PAGE, OUTCOME -> found(response);
            case SCOPE_FENCED -> {
                // A range may begin in a table that was deleted; its staleness is valid all the
                // same.
                if (kind == Kind.AGED_READ) {
                    found(response);
                } else {
                    setback(new MapCorrections(calls.watch(), key, target).from(response));
                }
            }
            case NOT_LEADER, STALE_RANGE, BUSY, IN_DOUBT, NO_DATA, FAILED ->
                    setback(new MapCorrections(calls.watch(), key, target).from(response));
            case BODY_NOT_SET -> throw new IllegalArgumentException("answer: empty");
        }
    }

    private void found(RangeResponse response) {
        if (lacksAge(response)) {
            setback(new Setback.AgeUnknown(target.node()));
            return;
        }
        if (!kind.mayBeStale()) {
            calls.watch().correct(map -> map.withLeader(target.range().rangeId(), target.node()));
            calls.leaderAnswered(target.range().rangeId());
        }
        if (end()) {
            trace.end(() -> result.complete(new RangeAnswer(response, target.range())));
        }
    }

    private boolean lacksAge(RangeResponse response) {
        return kind == Kind.AGED_READ
                && !response.hasStalenessMillis()
                && calls.nowNanos() - begunNanos < AGE_PATIENCE.toNanos();
    }

    @Override
    public void unanswered(boolean sent) {
        calls.silentNodes().silent(target.node());
        setback(new MapCorrections(calls.watch(), key, target).fromSilence(sent));
    }

    private void setback(Setback setback) {
        last = Optional.of(setback);
        trace.setback(setback.reason());
        calls.setbacks().accept(setback.reason());
        NextStep step =
                kind.mayBeStale()
                        ? calls.router()
                                .afterStale(setback, attempts, deadline.left(), calls.jitter())
                        : calls.router().after(setback, attempts, deadline.left(), calls.jitter());
        if (step instanceof NextStep.Retry retry) {
            retry(retry);
        } else if (step instanceof NextStep.GiveUp giveUp) {
            LOG.debug("request given up reason={} code={}", setback.reason(), giveUp.code());
            fail(giveUp.code());
        } else if (end()) {
            trace.end(() -> result.completeExceptionally(new ScopeFencedException()));
        }
    }

    private void retry(NextStep.Retry retry) {
        attempts = retry.attempts();
        if (retry.refresh()) {
            calls.watch().refresh();
        }
        if (retry.delay().isZero()) {
            attempt();
            return;
        }
        trace.pausing();
        if (!calls.tryLater(this, retry.delay())) {
            fail(Router.outOfTime(attempts));
        }
    }

    /**
     * Returns whether the call waits because no leader was found. To be called only while the call
     * waits, as the next two methods.
     */
    boolean seeksLeader() {
        return !kind.mayBeStale()
                && last.filter(
                                setback ->
                                        setback instanceof Setback.NotLeader
                                                || setback instanceof Setback.NotSent
                                                || setback instanceof Setback.ConnectionLost
                                                || setback instanceof Setback.InDoubt)
                        .isPresent();
    }

    Duration age() {
        return Duration.ofNanos(calls.nowNanos() - begunNanos);
    }

    RangeId rangeId() {
        return target.range().rangeId();
    }

    /**
     * Returns whether a node is believed to lead that this call has not asked, or that did not lead
     * when asked.
     */
    boolean knowsLeader() {
        boolean askedFollower = last.filter(Setback.NotLeader.class::isInstance).isPresent();
        return calls.watch()
                .view()
                .map()
                .leader(target.range().rangeId())
                .filter(leader -> askedFollower || !leader.equals(target.node()))
                .isPresent();
    }

    void wake() {
        home.execute(this::attempt);
    }

    private void fail(ErrorCode code) {
        if (end()) {
            StorageException told =
                    throttle()
                            .filter(known -> code == ErrorCode.SERVER_BUSY)
                            .map(StorageException::new)
                            .orElseGet(() -> new StorageException(code));
            trace.end(() -> result.completeExceptionally(told));
        }
    }

    /** Returns why the last attempt was refused as busy; empty if it was not. */
    private Optional<Throttle> throttle() {
        return last.flatMap(
                setback -> {
                    if (setback instanceof Setback.Busy busy) {
                        return busy.why().map(why -> new Throttle(why, busy.retryAfter()));
                    }
                    return setback instanceof Setback.Overloaded
                            ? Optional.of(new Throttle(BusyReason.FRONT_END, Duration.ZERO))
                            : Optional.empty();
                });
    }

    private boolean end() {
        boolean first = !over;
        if (first) {
            over = true;
            calls.ended();
        }
        return first;
    }
}
