package io.parterre.frontend.service;

import io.parterre.error.Blame;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.error.Throttle;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/**
 * Why an operation was not done, as clients are told.
 *
 * @param ofSyntax see {@link SyntaxException}
 * @param throttle why it is busy, where that is known
 */
record Failure(ErrorCode code, String text, boolean ofSyntax, Optional<Throttle> throttle) {
    private Failure(ErrorCode code, String text, boolean ofSyntax) {
        this(code, text, ofSyntax, Optional.empty());
    }

    /** What a stage ended with; anything but a refusal is a fault of the service. */
    static Failure of(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        if (cause instanceof SyntaxException syntax) {
            return new Failure(syntax.refusal().code(), syntax.refusal().getMessage(), true);
        }
        if (cause instanceof StorageException error) {
            return of(error);
        }
        return new Failure(ErrorCode.INTERNAL_ERROR, ErrorCode.INTERNAL_ERROR.text(), false);
    }

    static Failure of(StorageException error) {
        // Met only where the condition is read: the condition is a text, not a version.
        boolean ofSyntax = error.code() == ErrorCode.CONDITION_NOT_MET;
        return new Failure(error.code(), error.getMessage(), ofSyntax, error.throttle());
    }

    /**
     * What a part of a batch is answered that ended with this.
     *
     * @throws CompletionException if it is no refusal of the request: then the whole call fails,
     *     and the client may retry it
     */
    static Failure toTell(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        boolean refusal =
                cause instanceof SyntaxException
                        || cause instanceof StorageException error
                                && error.code().blame() == Blame.CALLER;
        if (!refusal) {
            throw new CompletionException(cause);
        }
        return of(cause);
    }

    /** With the index of the operation in front of the text, as SDKs look for it. */
    Failure prefixed(int index) {
        return new Failure(code, index + ":" + text, ofSyntax, throttle);
    }

    /** The same as a refusal. */
    StorageException refusal() {
        return throttle.map(StorageException::new)
                .orElseGet(() -> new StorageException(code, text));
    }

    static Throwable unwrapped(Throwable thrown) {
        return thrown instanceof CompletionException && thrown.getCause() != null
                ? thrown.getCause()
                : thrown;
    }

    /** Whether it is no fault of the service, so that no operator has to look into it. */
    static boolean isExpected(Throwable thrown) {
        Throwable cause = unwrapped(thrown);
        return cause instanceof SyntaxException
                || cause instanceof StorageException error && error.code().blame() != Blame.FAULT;
    }

    /** A missing table is found before preferences are applied, as recorded. */
    boolean echoesPreference() {
        return !ofSyntax && code != ErrorCode.TABLE_NOT_FOUND;
    }
}
