package io.parterre.frontend.observe;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;

/**
 * How calls are traced.
 *
 * @param tracer creates the spans of calls
 * @param followsClients whether the client decides that a call is recorded; if not, the decision is
 *     random, and the client's trace id is kept all the same
 */
public record Tracing(Tracer tracer, boolean followsClients) {
    /** Tracing that records nothing. */
    public static final Tracing OFF =
            new Tracing(OpenTelemetry.noop().getTracer("io.parterre"), false);
}
