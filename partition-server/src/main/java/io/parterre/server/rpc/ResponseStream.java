package io.parterre.server.rpc;

import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ResponseBundle;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answering side of a stream: whatever waits when the transport is ready goes as one bundle.
 * Safe for any thread; sending runs one at a time on the executor.
 */
final class ResponseStream {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseStream.class);
    private static final int BUNDLE_RESPONSES_MAX = 512;
    private static final int BUNDLE_BYTES_MAX = 1 << 20;

    private final ServerCallStreamObserver<ResponseBundle> transport;
    private final Executor executor;
    private final IntConsumer onSent;
    private final Queue<RangeResponse> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger signals = new AtomicInteger();
    private volatile Optional<Status> end = Optional.empty();
    private volatile boolean cancelled;
    private boolean ended;

    /**
     * A stream.
     *
     * @param onReady told when the transport takes more again
     * @param onSent told how many bytes of answers have left, or were dropped with the stream
     */
    ResponseStream(
            ServerCallStreamObserver<ResponseBundle> transport,
            Executor executor,
            Runnable onReady,
            IntConsumer onSent) {
        this.transport = transport;
        this.executor = executor;
        this.onSent = onSent;
        transport.setOnReadyHandler(
                () -> {
                    signal();
                    onReady.run();
                });
    }

    void send(RangeResponse response) {
        waiting.add(response);
        signal();
    }

    /** Ends the stream after what waits has been sent. */
    void end(Status status) {
        end = Optional.of(status);
        signal();
    }

    /** The client has gone: what waits is dropped. */
    void cancel() {
        cancelled = true;
        signal();
    }

    private void signal() {
        if (signals.getAndIncrement() == 0) {
            schedule();
        }
    }

    private void schedule() {
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException closing) {
            LOG.debug("stream left: the node is closing", closing);
            cancelled = true;
            dropWaiting();
        }
    }

    private void run() {
        int seen = signals.get();
        try {
            if (cancelled || ended) {
                dropWaiting();
            } else {
                sendWaiting();
            }
        } catch (RuntimeException failure) {
            LOG.debug("stream broken", failure);
            cancelled = true;
            dropWaiting();
        }
        if (signals.addAndGet(-seen) != 0) {
            schedule();
        }
    }

    private void sendWaiting() {
        while (!waiting.isEmpty() && transport.isReady()) {
            ResponseBundle.Builder bundle = ResponseBundle.newBuilder();
            int bytes = 0;
            for (RangeResponse next = waiting.peek(); next != null; next = waiting.peek()) {
                int size = next.getSerializedSize();
                boolean full =
                        bundle.getResponsesCount() >= BUNDLE_RESPONSES_MAX
                                || bytes > 0 && bytes + size > BUNDLE_BYTES_MAX;
                if (full) {
                    break;
                }
                bundle.addResponses(waiting.remove());
                bytes += size;
            }
            transport.onNext(bundle.build());
            onSent.accept(bytes);
        }
        if (waiting.isEmpty() && end.isPresent() && !ended) {
            ended = true;
            if (end.get().isOk()) {
                transport.onCompleted();
            } else {
                transport.onError(end.get().asRuntimeException());
            }
        }
    }

    private void dropWaiting() {
        for (RangeResponse next = waiting.poll(); next != null; next = waiting.poll()) {
            onSent.accept(next.getSerializedSize());
        }
    }
}
