package io.parterre.frontend;

import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.http.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Counts what passes, and lets nothing pass before accounts and map are known: until then every
 * caller would look unknown. Safe for any thread.
 */
record GuardedHandler(
        HttpHandler handler,
        BooleanSupplier ready,
        Refusal.Wording wording,
        FrontEndMetrics metrics,
        LongSupplier nanos)
        implements HttpHandler {
    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        String request = FrontEndMetrics.request(call.method());
        if (!ready.getAsBoolean()) {
            metrics.refused(Refusal.BUSY.status());
            return CompletableFuture.completedFuture(wording.answer(Refusal.BUSY, call.headers()));
        }
        long began = nanos.getAsLong();
        return handler.handle(call)
                .whenComplete(
                        (answer, failure) ->
                                metrics.answered(
                                        request,
                                        failure == null ? answer.status() : Refusal.FAILED.status(),
                                        nanos.getAsLong() - began));
    }
}
