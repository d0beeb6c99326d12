package io.parterre.server.rpc;

import io.parterre.error.ErrorCode;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A request until its one answer. Safe for any thread; later answers are dropped. */
final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);

    private final RangeRequest request;
    private final long deadlineNanos;
    private final RequestTrace trace;
    private final BiConsumer<Call, RangeResponse.Builder> onAnswer;
    private final AtomicBoolean answered = new AtomicBoolean();
    private final AtomicReference<Optional<Runnable>> afterwards =
            new AtomicReference<>(Optional.empty());

    /** Makes a call that is not traced. */
    Call(
            RangeRequest request,
            long deadlineNanos,
            BiConsumer<Call, RangeResponse.Builder> onAnswer) {
        this(request, deadlineNanos, RequestTrace.NONE, onAnswer);
    }

    /**
     * Makes a call.
     *
     * @param deadlineNanos time of the server's ticker
     * @param trace receives the answer
     * @param onAnswer called once, with the answer
     */
    Call(
            RangeRequest request,
            long deadlineNanos,
            RequestTrace trace,
            BiConsumer<Call, RangeResponse.Builder> onAnswer) {
        this.request = request;
        this.deadlineNanos = deadlineNanos;
        this.trace = trace;
        this.onAnswer = onAnswer;
    }

    RangeRequest request() {
        return request;
    }

    RequestTrace trace() {
        return trace;
    }

    boolean isAnswered() {
        return answered.get();
    }

    void answer(RangeResponse.Builder answer) {
        if (answered.compareAndSet(false, true)) {
            trace.end(answer);
            onAnswer.accept(this, answer);
            runAfterwards();
        }
    }

    /**
     * Runs this task once, when the call has its answer, or at once if the call has its answer
     * already. The task replaces an earlier task, which runs now, so that a call that is dispatched
     * again takes nothing twice.
     */
    void onAnswer(Runnable task) {
        afterwards.getAndSet(Optional.of(task)).ifPresent(Runnable::run);
        if (answered.get()) {
            runAfterwards();
        }
    }

    private void runAfterwards() {
        afterwards.getAndSet(Optional.empty()).ifPresent(Runnable::run);
    }

    /**
     * Runs work that answers the call, now or later. An exception of the work becomes the answer.
     */
    void answering(Runnable work) {
        try {
            work.run();
        } catch (IllegalArgumentException malformed) {
            LOG.warn("request refused requestId={}", request.getRequestId(), malformed);
            answer(RangeAnswers.failed(ErrorCode.INVALID_INPUT, malformed.getMessage()));
        } catch (RuntimeException | StackOverflowError failure) {
            LOG.error("request failed requestId={}", request.getRequestId(), failure);
            answer(RangeAnswers.failed(ErrorCode.INTERNAL_ERROR, failure.toString()));
        }
    }

    /** Ends a call whose time is up. */
    void expire(long nowNanos) {
        if (nowNanos - deadlineNanos < 0) {
            return;
        }
        // The command may be in the log already.
        answer(
                request.hasCommand()
                        ? RangeAnswers.inDoubt()
                        : RangeAnswers.failed(
                                ErrorCode.OPERATION_TIMED_OUT, "the deadline has passed"));
    }
}
