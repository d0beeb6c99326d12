package io.parterre.frontend.service;

import io.parterre.concurrent.Stages;
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
 * @param throttle why the operation was refused as busy, where this is known
 */
record Failure(ErrorCode code, String text, boolean ofSyntax, Optional<Throttle> throttle) {
    private Failure(ErrorCode code, String text, boolean ofSyntax) {
        this(code, text, ofSyntax, Optional.empty());
    }

    /**
     * Returns the failure with which a stage ended. Anything but a refusal is a fault of the
     * service.
     */
    static Failure of(Throwable thrown) {
        Throwable cause = Stages.cause(thrown);
        if (cause instanceof SyntaxException syntax) {
            return new Failure(syntax.refusal().code(), syntax.refusal().getMessage(), true);
        }
        if (cause instanceof StorageException error) {
            return of(error);
        }
        return new Failure(ErrorCode.INTERNAL_ERROR, ErrorCode.INTERNAL_ERROR.text(), false);
    }

    static Failure of(StorageException error) {
        // Occurs only where the condition is parsed: the condition is a text that is no version.
        boolean ofSyntax = error.code() == ErrorCode.CONDITION_NOT_MET;
        return new Failure(error.code(), error.getMessage(), ofSyntax, error.throttle());
    }

    /**
     * Returns the failure that the part of a batch is answered with.
     *
     * @throws CompletionException if the error is no refusal of the request: then the whole call
     *     fails, and the client may retry the call
     */
    static Failure toTell(Throwable thrown) {
        Throwable cause = Stages.cause(thrown);
        boolean refusal =
                cause instanceof SyntaxException
                        || cause instanceof StorageException error
                                && error.code().blame() == Blame.CALLER;
        if (!refusal) {
            throw new CompletionException(cause);
        }
        return of(cause);
    }

    /**
     * Returns this failure with the operation's index in front of the text, where SDKs look for it.
     */
    Failure prefixed(int index) {
        return new Failure(code, index + ":" + text, ofSyntax, throttle);
    }

    /** Returns this failure as an exception. */
    StorageException refusal() {
        return throttle.map(StorageException::new)
                .orElseGet(() -> new StorageException(code, text));
    }

    /**
     * Returns whether the error is no fault of the service, so that no operator has to investigate
     * it.
     */
    static boolean isExpected(Throwable thrown) {
        Throwable cause = Stages.cause(thrown);
        return cause instanceof SyntaxException
                || cause instanceof StorageException error && error.code().blame() != Blame.FAULT;
    }

    /**
     * Returns whether the answer states the applied preference. A missing table is found before
     * preferences are applied, as recorded.
     */
    boolean echoesPreference() {
        return !ofSyntax && code != ErrorCode.TABLE_NOT_FOUND;
    }
}
