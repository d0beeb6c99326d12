package io.parterre.concurrent;

import java.util.concurrent.CompletionException;

/** Reads how stages ended. Stateless; safe for any thread. */
public final class Stages {
    private Stages() {}

    /** Returns the failure itself, without the exception in which dependent stages pass it on. */
    public static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }
}
