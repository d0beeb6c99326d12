package io.parterre.frontend.client;

import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One attempt in flight to a node. It ends once, by the first of answer, broken stream and
 * deadline. Thread-safe.
 */
final class OutboundRequest {
    /** Called at the end of the attempt, on the request's own executor. */
    interface Listener {
        /**
         * Notes that an answer has arrived and {@link #answered} follows. Called on the stream's
         * thread: the request's executor may take long, and the answer occupies memory from now on.
         */
        void arrived(RangeResponse response);

        void answered(RangeResponse response);

        /**
         * The attempt ended without an answer. If {@code sent} is false, the node never received
         * the request.
         */
        void unanswered(boolean sent);
    }

    private final RangeRequest message;
    private final long begunNanos;
    private final long deadlineNanos;
    private final Executor home;
    private final Listener listener;
    private final NodeLoad load;
    private final AtomicBoolean ended = new AtomicBoolean();

    OutboundRequest(
            RangeRequest message,
            long begunNanos,
            long deadlineNanos,
            Executor home,
            Listener listener,
            NodeLoad load) {
        this.message = message;
        this.begunNanos = begunNanos;
        this.deadlineNanos = deadlineNanos;
        this.home = home;
        this.listener = listener;
        this.load = load;
    }

    RangeRequest message() {
        return message;
    }

    /** Returns the size of the message in bytes; protobuf computes it only once. */
    int bytes() {
        return message.getSerializedSize();
    }

    boolean isOver(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /** Returns whether the attempt began at least this long ago. */
    boolean hasWaited(long waitNanos, long nowNanos) {
        return nowNanos - begunNanos >= waitNanos;
    }

    boolean hasEnded() {
        return ended.get();
    }

    void answer(RangeResponse response) {
        if (end()) {
            listener.arrived(response);
            home.execute(() -> listener.answered(response));
        }
    }

    void giveUp(boolean sent) {
        if (end()) {
            home.execute(() -> listener.unanswered(sent));
        }
    }

    private boolean end() {
        boolean first = ended.compareAndSet(false, true);
        if (first) {
            load.remove(bytes());
        }
        return first;
    }
}
