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
 * What is told of one request to a range: a span for each attempt, and the time that its call
 * spends. Belongs to the call for which its thread worked when it was made. For one thread at a
 * time, as the request.
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

    /** An attempt begins; the server is told of its span. */
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

    /** The attempt has brought the answer. */
    void answered() {
        attempt.end();
        attempt = Span.getInvalid();
    }

    /** It has not. */
    void setback(String reason) {
        attempt.setAttribute("parterre.setback", reason);
        answered();
    }

    /** The next attempt has to wait. */
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

    /** Tells the call how it ended; what the call does next counts for it again. */
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
