package io.parterre.frontend.observe;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.CurrentCall;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Starts the span of a call, in the client's trace if the call has one, and adds the call's notes
 * to the same context, where the code that asks servers finds both. Thread-safe.
 */
public record TracedHandler(HttpHandler handler, Tracing tracing) implements HttpHandler {
    private static final TextMapGetter<HeaderList> HEADERS =
            (headers, name) -> headers == null ? null : headers.first(name).orElse(null);

    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        Context parent = parent(call.headers());
        Span span =
                tracing.tracer()
                        .spanBuilder(call.method())
                        .setParent(parent)
                        .setSpanKind(SpanKind.SERVER)
                        .startSpan();
        CallNotes notes = call.notes();
        boolean recorded = span.isRecording();
        if (!recorded && !notes.areKept()) {
            return handler.handle(call);
        }
        if (recorded) {
            notes.trace(span.getSpanContext().getTraceId());
        }
        Context context = CurrentCall.with(parent.with(span), notes);
        CompletionStage<HttpAnswer> answered =
                context.wrapSupplier(() -> handler.handle(call)).get();
        return recorded
                ? answered.whenComplete((answer, failure) -> end(span, call, answer, failure))
                : answered;
    }

    private Context parent(HeaderList headers) {
        if (!headers.has("traceparent")) {
            return Context.root();
        }
        Context told =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), headers, HEADERS);
        SpanContext client = Span.fromContext(told).getSpanContext();
        if (tracing.followsClients() || !client.isSampled()) {
            return told;
        }
        SpanContext undecided =
                SpanContext.createFromRemoteParent(
                        client.getTraceId(),
                        client.getSpanId(),
                        TraceFlags.getDefault(),
                        client.getTraceState());
        return Context.root().with(Span.wrap(undecided));
    }

    /**
     * Ends the span. Its attributes contain neither keys nor table names, because spans are sent to
     * other systems than the data.
     */
    private static void end(Span span, HttpCall call, HttpAnswer answer, Throwable failure) {
        span.setAttribute("http.request.method", call.method());
        span.setAttribute("url.scheme", call.secure() ? "https" : "http");
        span.setAttribute("http.request.body.size", call.body().length);
        if (failure == null) {
            span.setAttribute("http.response.status_code", answer.status());
            span.setAttribute("http.response.body.size", answer.body().length);
            for (String name : List.of("x-ms-request-id", "x-ms-error-code")) {
                answer.headers()
                        .first(name)
                        .ifPresent(value -> span.setAttribute("parterre." + name, value));
            }
        }
        if (failure != null || answer.status() >= 500) {
            span.setStatus(StatusCode.ERROR);
        }
        span.end();
    }
}
