package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import java.util.function.Supplier;

/**
 * A request refused for the syntax of a filter or an ETag. The service finds such errors before its
 * data layer is asked, and answers without {@code Cache-Control} and in the requested metadata
 * level. Source: docs/protocol.md 2.2 and 5.4, and recorded answers.
 */
final class SyntaxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final StorageException refusal;

    SyntaxException(StorageException refusal) {
        super(refusal);
        this.refusal = refusal;
    }

    StorageException refusal() {
        return refusal;
    }

    /** Returns the result of the parsing; its refusal is rethrown as a {@link SyntaxException}. */
    static <T> T of(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (StorageException refusal) {
            throw new SyntaxException(refusal);
        }
    }
}
