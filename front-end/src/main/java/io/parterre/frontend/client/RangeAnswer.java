package io.parterre.frontend.client;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.proto.range.RangeResponse;
import io.parterre.range.RangeDescriptor;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** The answer to a request, and the range that gave it, at the generation it was asked by. */
record RangeAnswer(RangeResponse response, RangeDescriptor range) {
    /**
     * Hands the answer to a taker once it is there. The result fails with what the request failed
     * with, or with {@code INTERNAL_ERROR} if the taker throws: a node's answer is malformed.
     */
    static void take(
            CompletableFuture<RangeAnswer> request,
            CompletableFuture<?> result,
            Consumer<RangeAnswer> taker) {
        request.whenComplete(
                (answer, failure) -> {
                    if (failure != null) {
                        result.completeExceptionally(Tables.cause(failure));
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
