package io.parterre.manager.rpc;

import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.parterre.manager.lead.LeadAnswer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers of the lead as messages or statuses. Stateless; safe for any thread. */
final class Answers {
    private static final Logger LOG = LoggerFactory.getLogger(Answers.class);

    private Answers() {}

    static Throwable invalid(IllegalArgumentException e) {
        return Status.INVALID_ARGUMENT.withDescription(e.getMessage()).asRuntimeException();
    }

    static <T, M> void answer(
            CompletableFuture<LeadAnswer<T>> answer,
            Function<T, M> message,
            StreamObserver<M> responses) {
        answer.whenComplete(
                (given, failure) -> {
                    if (failure != null) {
                        LOG.error("call failed", failure);
                        responses.onError(Status.INTERNAL.asRuntimeException());
                    } else if (given instanceof LeadAnswer.Given<T> value) {
                        responses.onNext(message.apply(value.value()));
                        responses.onCompleted();
                    } else {
                        responses.onError(refusal(given));
                    }
                });
    }

    private static <T> Throwable refusal(LeadAnswer<T> answer) {
        if (answer instanceof LeadAnswer.NotLeading<T> elsewhere) {
            return Refusals.notLeading(elsewhere.leaderAddress());
        }
        if (answer instanceof LeadAnswer.Busy<T>) {
            return Status.RESOURCE_EXHAUSTED
                    .withDescription("too many calls in progress")
                    .asRuntimeException();
        }
        if (answer instanceof LeadAnswer.InDoubt<T> inDoubt) {
            return status(Status.UNAVAILABLE, inDoubt.reason());
        }
        if (answer instanceof LeadAnswer.NotFound<T> missing) {
            return status(Status.NOT_FOUND, missing.reason());
        }
        if (answer instanceof LeadAnswer.Invalid<T> invalid) {
            return status(Status.INVALID_ARGUMENT, invalid.reason());
        }
        if (answer instanceof LeadAnswer.Refused<T> refused) {
            return status(Status.FAILED_PRECONDITION, refused.reason());
        }
        throw new IllegalStateException("answer: " + answer + " (expected: one without a value)");
    }

    private static Throwable status(Status status, String reason) {
        return status.withDescription(reason).asRuntimeException();
    }
}
