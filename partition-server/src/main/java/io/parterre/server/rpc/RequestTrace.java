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
 * Spans of one request whose trace is recorded: one from its arrival to its answer, and for a
 * command one of its apply within it. Keys and values are in neither. Safe for any thread.
 */
final class RequestTrace implements ProposalTrace {
    /** Records nothing, and so never changes. */
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

    /** Begins the span of a request, if its sender has one that is recorded. */
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

    /** What a proposal is to tell; nobody, if nothing is recorded. */
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
        // Told by the one thread that applies. If it was put off, the time since then counts.
        if (!apply.get().isRecording()) {
            apply.set(tracer.spanBuilder("apply").setParent(parent).startSpan());
        }
    }

    @Override
    public void applied() {
        apply.get().end();
    }

    /** The answer is there. */
    void end(RangeResponse.Builder answer) {
        whole.setAttribute(
                "parterre.outcome", answer.getBodyCase().name().toLowerCase(Locale.ROOT));
        whole.end();
    }
}
