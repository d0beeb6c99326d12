package io.parterre.error;

import java.util.Optional;

/**
 * A request that ends in an error of the catalogue. Expected refusals inside a role are answers.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Optional<Throttle> throttle;

    /** With the code's own text. */
    public StorageException(ErrorCode code) {
        this(code, code.text());
    }

    /** With a text of its own, which clients see. */
    public StorageException(ErrorCode code, String text) {
        super(text);
        this.code = code;
        this.throttle = Optional.empty();
    }

    /** With the code's own text; the cause is for our log only. */
    public StorageException(ErrorCode code, Throwable cause) {
        super(code.text(), cause);
        this.code = code;
        this.throttle = Optional.empty();
    }

    /** Refused as busy, and why. Without a stack trace: there may be many, and they are cheap. */
    public StorageException(Throttle throttle) {
        super(ErrorCode.SERVER_BUSY.text(), null, false, false);
        this.code = ErrorCode.SERVER_BUSY;
        this.throttle = Optional.of(throttle);
    }

    public ErrorCode code() {
        return code;
    }

    /** Why it is {@code SERVER_BUSY}, where that is known. */
    public Optional<Throttle> throttle() {
        return throttle;
    }
}
