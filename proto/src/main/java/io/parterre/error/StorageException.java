package io.parterre.error;

/**
 * A request that ends in an error of the catalogue. Expected refusals inside a role are answers.
 */
public final class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ErrorCode code;

    /** With the code's own text. */
    public StorageException(ErrorCode code) {
        this(code, code.text());
    }

    /** With a text of its own, which clients see. */
    public StorageException(ErrorCode code, String text) {
        super(text);
        this.code = code;
    }

    /** With the code's own text; the cause is for our log only. */
    public StorageException(ErrorCode code, Throwable cause) {
        super(code.text(), cause);
        this.code = code;
    }

    public ErrorCode code() {
        return code;
    }
}
