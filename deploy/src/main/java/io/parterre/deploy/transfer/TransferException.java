package io.parterre.deploy.transfer;

import java.io.IOException;

/** Why a table service or a file makes a transfer fail; the message is for operators. */
final class TransferException extends IOException {
    private final boolean passing;

    private TransferException(String message, boolean passing, Throwable cause) {
        super(message, cause);
        this.passing = passing;
    }

    /** Returns a failure that a retry may overcome. */
    static TransferException passing(String message, Throwable cause) {
        return new TransferException(message, true, cause);
    }

    /** Returns a failure that every retry would repeat. */
    static TransferException lasting(String message) {
        return new TransferException(message, false, null);
    }

    boolean isPassing() {
        return passing;
    }
}
