package io.parterre.frontend.client;

import io.parterre.concurrent.Stages;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeDescriptor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The answer to a request, and the range that gave it at the generation in the request. */
record RangeAnswer(RangeResponse response, RangeDescriptor range) {
    /**
     * Hands the answer to {@code taker} once it has arrived. If the request fails, the result fails
     * with the same error. If the taker throws, the node's answer is malformed and the result fails
     * with {@code INTERNAL_ERROR}.
     */
    static void take(
            CompletableFuture<RangeAnswer> request,
            CompletableFuture<?> result,
            Consumer<RangeAnswer> taker) {
        request.whenComplete(
                (answer, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(Stages.cause(failure));
                        return;
                    }
                    try {
                        taker.accept(answer);
                    } catch (RuntimeException malformed) {
                        result.completeExceptionally(
                                new StorageException(ErrorCode.INTERNAL_ERROR, malformed));
                    }
                });
    }
}
