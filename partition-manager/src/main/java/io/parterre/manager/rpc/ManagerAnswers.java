package io.parterre.manager.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.manager.lead.LeaderAnswer;
import io.parterre.manager.reason.ReasonText;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts the leader's answers to messages or statuses. Stateless and thread-safe. */
final class ManagerAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(ManagerAnswers.class);

    private ManagerAnswers() {}

    static Throwable invalid(IllegalArgumentException e) {
        return Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
    }

    static <M> void answer(CompletableFuture<LeaderAnswer<M>> answer, StreamObserver<M> responses) {
        answer(answer, Function.identity(), responses);
    }

    static <T, M> void answer(
            CompletableFuture<LeaderAnswer<T>> answer,
            Function<T, M> message,
            StreamObserver<M> responses) {
        answer.whenComplete(
                (given, failure) -> {
                    if (failure != null) {
                        LOG.error("call failed", failure);
                        responses.onError(Status.INTERNAL.asRuntimeException());
                    } else if (given instanceof LeaderAnswer.Given<T> value) {
                        responses.onNext(message.apply(value.value()));
                        responses.onCompleted();
                    } else {
                        responses.onError(refusal(given));
                    }
                });
    }

    private static <T> Throwable refusal(LeaderAnswer<T> answer) {
        if (answer instanceof LeaderAnswer.NotLeading<T> elsewhere) {
            return Refusals.notLeading(elsewhere.leaderAddress());
        }
        if (answer instanceof LeaderAnswer.Busy<T>) {
            return Status.RESOURCE_EXHAUSTED
                    .withDescription("too many calls in progress")
                    .asRuntimeException();
        }
        if (answer instanceof LeaderAnswer.InDoubt<T> inDoubt) {
            return status(Status.UNAVAILABLE, inDoubt.reason());
        }
        if (answer instanceof LeaderAnswer.NotFound<T> missing) {
            return status(Status.NOT_FOUND, ReasonText.of(missing.reason()));
        }
        if (answer instanceof LeaderAnswer.Invalid<T> invalid) {
            return status(Status.INVALID_ARGUMENT, ReasonText.of(invalid.reason()));
        }
        if (answer instanceof LeaderAnswer.Refused<T> refused) {
            return status(Status.FAILED_PRECONDITION, ReasonText.of(refused.reason()));
        }
        throw new IllegalStateException("answer: " + answer + " (expected: one without a value)");
    }

    private static Throwable status(Status status, String reason) {
        return status.withDescription(reason).asRuntimeException();
    }
}
