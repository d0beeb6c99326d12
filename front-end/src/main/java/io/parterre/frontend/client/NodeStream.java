package io.parterre.frontend.client;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.RangeServiceGrpc.RangeServiceStub;
import io.parterre.proto.range.RequestBundle;
import io.parterre.proto.range.ResponseBundle;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * One long-lived stream to a node, opened when it is needed and again after it broke. Safe for any
 * thread.
 *
 * <p>Requests queue and one thread at a time sends what is there as bundles. Sending is put off to
 * the end of the event loop's round, so that all the requests of a round leave as one bundle and
 * nobody waits for a timer: a message costs about as much as all the rest of a request. Nothing
 * leaves before the stream is connected, so requests that a failed connection leaves behind are
 * known not to have been sent.
 */
final class NodeStream {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStream.class);

    /** A node that has just lost leadership says so sooner. */
    private static final long LED_ELSEWHERE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String node;
    private final RangeServiceStub stub;
    private final ClusterClientConfig config;
    private final LongSupplier nanos;
    private final Queue<OutboundRequest> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainOwed = new AtomicBoolean();
    private final AtomicInteger draining = new AtomicInteger();

    // Written while draining or by the connection's end.
    private volatile Optional<Connection> connection = Optional.empty();
    private volatile long reopenAtNanos;
    private volatile int failures;
    private volatile boolean closed;
    private volatile boolean silent;
    private volatile long heardNanos;

    NodeStream(String node, RangeServiceStub stub, ClusterClientConfig config, LongSupplier nanos) {
        this.node = node;
        this.stub = stub.withMaxInboundMessageSize(config.answerBytesMax());
        this.config = config;
        this.nanos = nanos;
        this.reopenAtNanos = nanos.getAsLong();
        this.heardNanos = reopenAtNanos;
    }

    /** Sends soon: once {@code home} has done what it has begun. */
    void send(OutboundRequest request, Executor home) {
        queue.add(request);
        if (drainOwed.compareAndSet(false, true)) {
            home.execute(
                    () -> {
                        drainOwed.set(false);
                        drain();
                    });
        }
    }

    private void drain() {
        if (draining.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            sendQueued();
            seen = draining.addAndGet(-seen);
        } while (seen != 0);
    }

    private void sendQueued() {
        while (!queue.isEmpty()) {
            Optional<Connection> open = connected();
            if (open.isEmpty()) {
                for (OutboundRequest left = queue.poll(); left != null; left = queue.poll()) {
                    left.giveUp(false);
                }
                return;
            }
            if (!open.get().isReady()) {
                // Its ready handler calls again.
                return;
            }
            List<OutboundRequest> bundle = nextBundle();
            if (!bundle.isEmpty()) {
                open.get().send(bundle);
            }
        }
    }

    private List<OutboundRequest> nextBundle() {
        List<OutboundRequest> bundle = new ArrayList<>();
        long bytes = 0;
        for (OutboundRequest next = queue.peek(); next != null; next = queue.peek()) {
            bytes += next.bytes();
            boolean enough =
                    bundle.size() == config.bundleRequestsMax()
                            || !bundle.isEmpty() && bytes > config.bundleBytesMax();
            if (enough) {
                break;
            }
            // Unless it was given up and taken out meanwhile.
            if (queue.remove(next) && !next.hasEnded()) {
                bundle.add(next);
            }
        }
        return bundle;
    }

    private Optional<Connection> connected() {
        Optional<Connection> open = connection;
        if (open.isPresent() || closed || nanos.getAsLong() - reopenAtNanos < 0) {
            return open;
        }
        Connection opened = new Connection();
        connection = Optional.of(opened);
        stub.exchange(opened);
        // It may have failed at once.
        return connection;
    }

    /**
     * Gives up what has waited too long, sent or not. A node that is silent and does not lead is
     * not waited for: another one does, and would answer.
     *
     * @param ledElsewhere whether another node leads the range
     */
    void expire(long nowNanos, Predicate<RangeId> ledElsewhere) {
        boolean quiet = nowNanos - heardNanos >= LED_ELSEWHERE_NANOS;
        Predicate<OutboundRequest> isOver =
                request ->
                        request.isOver(nowNanos)
                                || quiet
                                        && request.hasWaited(LED_ELSEWHERE_NANOS, nowNanos)
                                        && !request.message().getFollowerRead()
                                        && ledElsewhere.test(
                                                new RangeId(request.message().getRangeId()));
        for (OutboundRequest request : queue) {
            if (isOver.test(request)) {
                silent = true;
                request.giveUp(false);
            }
        }
        // A node that takes nothing for long would have them pile up: they count no more.
        queue.removeIf(OutboundRequest::hasEnded);
        connection.ifPresent(open -> open.expire(isOver));
    }

    /** Whether a request's time ended and nothing has come since: the node hangs, or is gone. */
    boolean isSilent() {
        return silent;
    }

    /** Requests that have not left yet. */
    int queued() {
        return queue.size();
    }

    /** Breaks the stream; what is under way ends unanswered, and so does whatever comes. */
    void close() {
        closed = true;
        connection.ifPresent(Connection::cancel);
        drain();
    }

    /** The stream from its start to its end. */
    private final class Connection
            implements ClientResponseObserver<RequestBundle, ResponseBundle> {
        private final Map<Long, OutboundRequest> sent = new ConcurrentHashMap<>();
        private volatile ClientCallStreamObserver<RequestBundle> requests;
        private final AtomicBoolean broken = new AtomicBoolean();

        @Override
        public void beforeStart(ClientCallStreamObserver<RequestBundle> stream) {
            requests = stream;
            stream.setOnReadyHandler(NodeStream.this::drain);
        }

        boolean isReady() {
            return requests.isReady();
        }

        void send(List<OutboundRequest> bundle) {
            RequestBundle.Builder message = RequestBundle.newBuilder();
            for (OutboundRequest request : bundle) {
                sent.put(request.message().getRequestId(), request);
                message.addRequests(request.message());
            }
            try {
                requests.onNext(message.build());
            } catch (IllegalStateException ended) {
                broke(ended);
            }
            if (broken.get()) {
                // It broke between our look at it and the entries above.
                loseSent();
            }
        }

        @Override
        public void onNext(ResponseBundle bundle) {
            failures = 0;
            silent = false;
            heardNanos = nanos.getAsLong();
            for (RangeResponse response : bundle.getResponsesList()) {
                OutboundRequest request = sent.remove(response.getRequestId());
                // Otherwise it is late: the attempt was given up.
                if (request != null) {
                    request.answer(response);
                }
            }
        }

        @Override
        public void onError(Throwable cause) {
            broke(cause);
        }

        @Override
        public void onCompleted() {
            broke(new IllegalStateException("the node ended the stream"));
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // by the one thread that breaks the stream
        private void broke(Throwable cause) {
            if (!broken.compareAndSet(false, true)) {
                return;
            }
            reopenAtNanos = nanos.getAsLong() + config.reconnectDelay(failures).toNanos();
            failures++;
            connection = Optional.empty();
            // Once, not for every try of many.
            LOG.atLevel(failures == 1 && !closed ? Level.WARN : Level.DEBUG)
                    .log(
                            "stream to node broke nodeId={} unanswered={} cause={}",
                            node,
                            sent.size(),
                            cause.getMessage());
            loseSent();
            drain();
        }

        @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // concurrent maps allow it
        private void loseSent() {
            for (Long id : sent.keySet()) {
                OutboundRequest request = sent.remove(id);
                if (request != null) {
                    request.giveUp(true);
                }
            }
        }

        @SuppressWarnings("ModifyCollectionInEnhancedForLoop") // concurrent maps allow it
        void expire(Predicate<OutboundRequest> isOver) {
            for (Map.Entry<Long, OutboundRequest> entry : sent.entrySet()) {
                if (isOver.test(entry.getValue()) && sent.remove(entry.getKey()) != null) {
                    silent = true;
                    entry.getValue().giveUp(true);
                }
            }
        }

        void cancel() {
            requests.cancel("front end closes the stream", null);
            broke(new IllegalStateException("closed"));
        }
    }
}
