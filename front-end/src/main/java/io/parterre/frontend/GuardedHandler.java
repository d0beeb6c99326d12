package io.parterre.frontend;

import io.opentelemetry.context.Context;
import io.parterre.error.BusyReason;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import io.parterre.frontend.http.EventLoops;
import io.parterre.frontend.http.HttpRefusal;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Counts calls, and holds each call back until accounts and map are known, because before that
 * every caller would look unknown. Calls wait instead of being refused at once: a front end just
 * restarted on its port would otherwise fail all calls that reach it, as fast as refusals are
 * answered. Thread-safe.
 *
 * @param known completes when accounts and map are known
 * @param patience how long a call waits for {@code known} before it is refused as busy
 */
record GuardedHandler(
        HttpHandler handler,
        CompletableFuture<Void> known,
        Duration patience,
        HttpRefusal.Wording wording,
        FrontEndMetrics metrics,
        LongSupplier nanos)
        implements HttpHandler {
    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        if (known.isDone()) {
            return pass(call);
        }
        Executor home = EventLoops.current();
        Context context = Context.current();
        call.notes().enter(CallNotes.Phase.MAP);
        return known.copy()
                .orTimeout(patience.toNanos(), TimeUnit.NANOSECONDS)
                .handleAsync(
                        (done, late) -> {
                            call.notes().enter(CallNotes.Phase.WORK);
                            return context.wrapSupplier(
                                            () -> late == null ? pass(call) : refuse(call))
                                    .get();
                        },
                        home)
                .thenCompose(Function.identity());
    }

    private CompletionStage<HttpAnswer> pass(HttpCall call) {
        String request = FrontEndMetrics.request(call.method());
        long began = nanos.getAsLong();
        return handler.handle(call)
                .whenComplete(
                        (answer, failure) -> {
                            metrics.answered(
                                    request,
                                    failure == null ? answer.status() : HttpRefusal.FAILED.status(),
                                    nanos.getAsLong() - began);
                            if (failure == null && answer.status() == HttpRefusal.BUSY.status()) {
                                metrics.throttled(
                                        answer.headers()
                                                .first(HttpAnswer.BUSY_REASON)
                                                .flatMap(BusyReason::ofText));
                            }
                        });
    }

    private CompletionStage<HttpAnswer> refuse(HttpCall call) {
        metrics.refused(HttpRefusal.BUSY);
        return CompletableFuture.completedFuture(wording.answer(HttpRefusal.BUSY, call.headers()));
    }
}
