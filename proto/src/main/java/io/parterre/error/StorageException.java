package io.parterre.error;

import java.util.Optional;

/**
 * Thrown if a request ends in an error of the catalogue. Expected refusals inside a role are
 * answers, not exceptions.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;
    private final transient Optional<Throttle> throttle;

    /** Makes an exception with the code's own text. */
    public StorageException(ErrorCode code) {
        this(code, code.text());
    }

    /** Makes an exception with another text, which clients see. */
    public StorageException(ErrorCode code, String text) {
        super(text);
        this.code = code;
        this.throttle = Optional.empty();
    }

    /** Makes an exception with the code's own text; the cause is for the log only. */
    public StorageException(ErrorCode code, Throwable cause) {
        super(code.text(), cause);
        this.code = code;
        this.throttle = Optional.empty();
    }

    /**
     * Makes an exception for a request refused as busy. It has no stack trace, because there may be
     * many refusals and they have to be cheap.
     */
    public StorageException(Throttle throttle) {
        super(ErrorCode.SERVER_BUSY.text(), null, false, false);
        this.code = ErrorCode.SERVER_BUSY;
        this.throttle = Optional.of(throttle);
    }

    public ErrorCode code() {
        return code;
    }

    /** Returns the reason for {@code SERVER_BUSY}, if it is known. */
    public Optional<Throttle> throttle() {
        return throttle;
    }
}
