package io.parterre.frontend.call;

import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;

/**
 * The notes of the call for which a thread works at the moment. They travel in the context of
 * traces, so that code that asks servers needs no parameter for either. Code that hands work to
 * another thread takes the context along.
 */
public final class CurrentCall {
    private static final ContextKey<CallNotes> NOTES = ContextKey.named("parterre.call");

    private CurrentCall() {}

    /** Returns a context with these notes. */
    public static Context with(Context context, CallNotes notes) {
        return context.with(NOTES, notes);
    }

    /** Returns the notes of a context; {@link CallNotes#IGNORED} if it has none. */
    public static CallNotes of(Context context) {
        CallNotes notes = context.get(NOTES);
        return notes == null ? CallNotes.IGNORED : notes;
    }
}
