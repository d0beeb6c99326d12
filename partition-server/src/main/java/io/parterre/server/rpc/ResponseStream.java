package io.parterre.server.rpc;

import com.google.protobuf.ByteString;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.parterre.proto.range.RangeResponse;
import io.parterre.proto.range.ResponseBundle;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ObjLongConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answering side of a stream. All answers that wait when the transport is ready go as one
 * bundle. Safe for any thread; sending runs one at a time on the executor.
 */
final class ResponseStream {
    private static final Logger LOG = LoggerFactory.getLogger(ResponseStream.class);
    private static final int BUNDLE_RESPONSES_MAX = 512;
    private static final int BUNDLE_BYTES_MAX = 1 << 20;

    private final ServerCallStreamObserver<ResponseBundle> transport;
    private final Executor executor;
    private final Runnable onReady;
    private final ObjLongConsumer<ByteString> onSent;
    private final Queue<Waiting> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger signals = new AtomicInteger();
    private volatile Optional<Status> end = Optional.empty();
    private volatile boolean cancelled;
    private boolean ended;

    /** An answer, and the account whose memory the answer takes. */
    private record Waiting(RangeResponse response, ByteString account) {
        int bytes() {
            return response.getSerializedSize();
        }
    }

    /**
     * Makes a stream.
     *
     * @param onReady runs when the transport takes more again, or has taken the waiting answers
     * @param onSent receives, for each answer that was sent or dropped with the stream, the account
     *     and the bytes
     */
    ResponseStream(
            ServerCallStreamObserver<ResponseBundle> transport,
            Executor executor,
            Runnable onReady,
            ObjLongConsumer<ByteString> onSent) {
        this.transport = transport;
        this.executor = executor;
        this.onReady = onReady;
        this.onSent = onSent;
        transport.setOnReadyHandler(
                () -> {
                    signal();
                    onReady.run();
                });
    }

    void send(RangeResponse response, ByteString account) {
        waiting.add(new Waiting(response, account));
        signal();
    }

    /** Ends the stream after the waiting answers have been sent. */
    void end(Status status) {
        end = Optional.of(status);
        signal();
    }

    /** Drops the waiting answers, because the client has gone. */
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
            List<Waiting> taken = new ArrayList<>();
            int bytes = 0;
            for (Waiting next = waiting.peek(); next != null; next = waiting.peek()) {
                boolean full =
                        taken.size() >= BUNDLE_RESPONSES_MAX
                                || bytes > 0 && bytes + next.bytes() > BUNDLE_BYTES_MAX;
                if (full) {
                    break;
                }
                taken.add(waiting.remove());
                bundle.addResponses(next.response());
                bytes += next.bytes();
            }
            try {
                transport.onNext(bundle.build());
            } finally {
                taken.forEach(this::left);
            }
            onReady.run();
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
        for (Waiting next = waiting.poll(); next != null; next = waiting.poll()) {
            left(next);
        }
        onReady.run();
    }

    private void left(Waiting answer) {
        onSent.accept(answer.account(), answer.bytes());
    }
}
