package io.parterre.frontend.call;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;

/**
 * The notes of the call for which a thread works at the moment. They travel with the context of
 * traces, so that what asks servers needs no parameter for either. Code that gives work to another
 * thread takes the context along.
 */
public final class CurrentCall {
    private static final ContextKey<CallNotes> NOTES = ContextKey.named("parterre.call");

    private CurrentCall() {}

    /** A context with these notes. */
    public static Context with(Context context, CallNotes notes) {
        return context.with(NOTES, notes);
    }

    /** The notes of a context. */
    public static CallNotes of(Context context) {
        CallNotes notes = context.get(NOTES);
        return notes == null ? CallNotes.IGNORED : notes;
    }
}
