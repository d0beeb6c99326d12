package io.parterre.frontend;

import io.parterre.frontend.call.HeaderList;
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
        HttpHandler handler, BooleanSupplier ready, FrontEndMetrics metrics, LongSupplier nanos)
        implements HttpHandler {
    private static final String CLIENT_REQUEST_ID = "x-ms-client-request-id";

    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        String request = FrontEndMetrics.request(call.method());
        if (!ready.getAsBoolean()) {
            metrics.refused(Refusal.BUSY.status());
            return CompletableFuture.completedFuture(refuse(Refusal.BUSY, call.headers()));
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

    /**
     * A refusal that clients can match to what they sent. Source: Table service protocol reference,
     * section 2.2.
     */
    static HttpAnswer refuse(Refusal refusal, HeaderList request) {
        HttpAnswer answer = refusal.inJson();
        return request.first(CLIENT_REQUEST_ID)
                .map(
                        id ->
                                new HttpAnswer(
                                        answer.status(),
                                        answer.reason(),
                                        answer.headers().with(CLIENT_REQUEST_ID, id),
                                        answer.body()))
                .orElse(answer);
    }
}
