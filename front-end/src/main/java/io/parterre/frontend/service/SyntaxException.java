package io.parterre.frontend.service;

import io.parterre.error.StorageException;
import java.util.function.Supplier;

/**
 * A request refused for the syntax of a filter or an ETag. The service finds these before its data
 * layer is asked, and answers without {@code Cache-Control} and in the level asked for. Source:
 * docs/protocol.md 2.2 and 5.4, and recorded answers.
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

    /** What the reading yields; its refusal becomes one of syntax. */
    static <T> T of(Supplier<T> reading) {
        try {
            return reading.get();
        } catch (StorageException refusal) {
            throw new SyntaxException(refusal);
        }
    }
}
