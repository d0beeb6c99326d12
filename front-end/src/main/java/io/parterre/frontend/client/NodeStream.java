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
 * One long-lived stream to a node, opened on first use and again after it broke. Thread-safe.
 *
 * <p>Requests queue, and one thread at a time sends the queued requests as bundles. Sending waits
 * for the end of the event loop's round, so that all requests of a round leave as one bundle and no
 * request waits for a timer: a message costs about as much as all the rest of a request. Nothing is
 * sent before the stream is connected, so requests that a failed connection leaves behind are known
 * not to have been sent.
 */
final class NodeStream {
    private static final Logger LOG = LoggerFactory.getLogger(NodeStream.class);

    /**
     * How long a request waits for a node that is silent while another node is known to lead. A
     * node that has just lost leadership answers sooner.
     */
    private static final long LED_ELSEWHERE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final String node;
    private final RangeServiceStub stub;
    private final ClusterClientConfig config;
    private final LongSupplier nanos;
    private final Queue<OutboundRequest> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean drainOwed = new AtomicBoolean();
    private final AtomicInteger draining = new AtomicInteger();

    // Written while draining or at the connection's end.
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

    /** Sends the request soon, after {@code home} has finished the tasks it has begun. */
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
                // The connection's ready handler calls this method again.
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
            // The request may have been given up and removed from the queue in the meantime.
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
        // The new connection may have failed at once.
        return connection;
    }

    /**
     * Gives up requests that have waited too long, sent or not. A request does not wait for a
     * silent node that does not lead, because another node leads and would answer.
     *
     * @param ledElsewhere tests whether another node leads the range
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
        // Ended requests no longer count, so they would pile up without bound at a node that
        // accepts nothing for long.
        queue.removeIf(OutboundRequest::hasEnded);
        connection.ifPresent(open -> open.expire(isOver));
    }

    /**
     * Returns whether a request timed out and nothing has arrived since: the node hangs or is gone.
     */
    boolean isSilent() {
        return silent;
    }

    /** Returns the number of requests that have not been sent yet. */
    int queued() {
        return queue.size();
    }

    /** Breaks the stream. Requests in flight end unanswered, as do all later ones. */
    void close() {
        closed = true;
        connection.ifPresent(Connection::cancel);
        drain();
    }

    /** One connected stream, from its start to its end. */
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
                // The connection broke after it was looked up and before the entries above were
                // added.
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
                // Without a request the answer is late: the attempt was given up.
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
            // One warning for the first failure, not one for each retry.
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
