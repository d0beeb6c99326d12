package io.parterre.server.rpc;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.parterre.proto.range.RangeRequest;
import io.parterre.proto.range.RangeResponse;
import io.parterre.server.propose.ProposalTrace;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Spans of one request whose trace is recorded: a span from its arrival to its answer, and for a
 * command a span of its apply within the first. No span contains keys or values. Safe for any
 * thread.
 */
final class RequestTrace implements ProposalTrace {
    /** A trace that records nothing and therefore never changes. */
    static final RequestTrace NONE =
            new RequestTrace(OpenTelemetry.noop().getTracer(""), Context.root(), Span.getInvalid());

    private static final String PARENT = "traceparent";

    private static final TextMapGetter<RangeRequest> FIELD =
            (request, name) ->
                    request != null && name.equals(PARENT) ? request.getTraceparent() : null;

    private final Tracer tracer;
    private final Context parent;
    private final Span whole;
    private final AtomicReference<Span> apply = new AtomicReference<>(Span.getInvalid());

    private RequestTrace(Tracer tracer, Context parent, Span whole) {
        this.tracer = tracer;
        this.parent = parent;
        this.whole = whole;
    }

    /** Begins the span of a request, if its sender has a span that is recorded. */
    static RequestTrace begin(Tracer tracer, RangeRequest request) {
        if (request.getTraceparent().isEmpty()) {
            return NONE;
        }
        Context sender =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), request, FIELD);
        Span span =
                tracer.spanBuilder(request.getBodyCase().name().toLowerCase(Locale.ROOT))
                        .setParent(sender)
                        .setSpanKind(SpanKind.SERVER)
                        .setAttribute("parterre.range.id", request.getRangeId())
                        .setAttribute("parterre.range.generation", request.getGeneration())
                        .startSpan();
        return new RequestTrace(tracer, sender.with(span), span);
    }

    /** Returns the trace of the proposal, which records nothing if the span is not recorded. */
    ProposalTrace ofProposal() {
        return whole.isRecording() ? this : ProposalTrace.NONE;
    }

    @Override
    public void packed(int commands) {
        whole.setAttribute("parterre.entry.commands", commands);
        whole.addEvent("proposed");
    }

    @Override
    public void appended() {
        whole.addEvent("appended");
    }

    @Override
    public void applying() {
        // Called by the one thread that applies entries. A deferred entry keeps its first start.
        if (!apply.get().isRecording()) {
            apply.set(tracer.spanBuilder("apply").setParent(parent).startSpan());
        }
    }

    @Override
    public void applied() {
        apply.get().end();
    }

    /** Ends the span with the answer. */
    void end(RangeResponse.Builder answer) {
        whole.setAttribute(
                "parterre.outcome", answer.getBodyCase().name().toLowerCase(Locale.ROOT));
        whole.end();
    }
}
