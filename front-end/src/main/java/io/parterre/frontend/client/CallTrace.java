package io.parterre.frontend.client;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.parterre.frontend.call.CallNotes;
import io.parterre.frontend.call.CallNotes.Phase;
import io.parterre.frontend.call.CurrentCall;
import io.parterre.frontend.route.Target;
import io.parterre.proto.range.RangeRequest;
import java.util.Locale;

/**
 * Traces one request to a range: a span for each attempt, and the phases of its call. Belongs to
 * the call for which its thread worked when the trace was created. Used by one thread at a time,
 * like the request.
 */
final class CallTrace {
    private final Context context = Context.current();
    private final boolean recorded = Span.fromContext(context).isRecording();
    private final CallNotes notes = CurrentCall.of(context);
    private final Tracer tracer;
    private Span attempt = Span.getInvalid();
    private Phase before = Phase.WORK;
    private boolean begun;

    CallTrace(Tracer tracer) {
        this.tracer = tracer;
    }

    /** Begins an attempt. The request carries the span to the server. */
    void sending(RangeRequest.Builder request, Target target, RangeCall.Kind kind) {
        enter(Phase.RANGE);
        if (!recorded) {
            return;
        }
        attempt =
                tracer.spanBuilder("range " + kind.name().toLowerCase(Locale.ROOT))
                        .setParent(context)
                        .setSpanKind(SpanKind.CLIENT)
                        .setAttribute("parterre.range.id", target.range().rangeId().value())
                        .setAttribute(
                                "parterre.range.generation", target.range().generation().value())
                        .setAttribute("parterre.node.id", target.node().value())
                        .startSpan();
        W3CTraceContextPropagator.getInstance()
                .inject(
                        context.with(attempt),
                        request,
                        (message, name, value) -> {
                            if (name.equals("traceparent")) {
                                message.setTraceparent(value);
                            }
                        });
    }

    /** Ends an attempt that brought the answer. */
    void answered() {
        attempt.end();
        attempt = Span.getInvalid();
    }

    /** Ends an attempt that did not bring the answer. */
    void setback(String reason) {
        attempt.setAttribute("parterre.setback", reason);
        answered();
    }

    /** Notes that the next attempt has to wait. */
    void pausing() {
        enter(Phase.RANGE_WAIT);
    }

    private void enter(Phase next) {
        Phase last = notes.enter(next);
        if (!begun) {
            begun = true;
            before = last;
        }
    }

    /**
     * Runs {@code tell}, which tells the call how the request ended, in the call's context. From
     * then on time counts for the phase before the request.
     */
    void end(Runnable tell) {
        answered();
        if (begun) {
            notes.enter(before);
        }
        if (recorded || notes.areKept()) {
            context.wrap(tell).run();
        } else {
            tell.run();
        }
    }
}
