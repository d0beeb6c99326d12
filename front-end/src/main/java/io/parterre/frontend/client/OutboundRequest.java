package io.parterre.frontend.client;

import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * One attempt on its way to a node. It ends once, by whatever comes first: answer, broken stream,
 * deadline. Safe for any thread.
 */
final class OutboundRequest {
    /** Told of the end, on the request's own executor. */
    interface Listener {
        /**
         * An answer is there, and {@link #answered} comes next. On the stream's thread: it may wait
         * long for the other one, and takes memory from now on.
         */
        void arrived(RangeResponse response);

        void answered(RangeResponse response);

        /** No answer will be heard. If it was not sent, the node never saw it. */
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

    /** Size of the message; computed once, by protobuf. */
    int bytes() {
        return message.getSerializedSize();
    }

    boolean isOver(long nowNanos) {
        return nowNanos - deadlineNanos >= 0;
    }

    /** Whether it was begun so long ago. */
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
