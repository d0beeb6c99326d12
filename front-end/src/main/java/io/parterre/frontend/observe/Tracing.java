package io.parterre.frontend.observe;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;

/**
 * How calls are traced.
 *
 * @param tracer makes their spans
 * @param followsClients whether a call is recorded because its client says so; else chance decides,
 *     and the client's trace id is kept all the same
 */
public record Tracing(Tracer tracer, boolean followsClients) {
    /** Records nothing. */
    public static final Tracing OFF =
            new Tracing(OpenTelemetry.noop().getTracer("io.parterre"), false);
}
