package io.parterre.deploy.transfer;

import java.io.IOException;

/** What a table service, or a file, has against a transfer; the message is for people. */
final class TransferException extends IOException {
    private final boolean passing;

    private TransferException(String message, boolean passing, Throwable cause) {
        super(message, cause);
        this.passing = passing;
    }

    /** Another try may succeed. */
    static TransferException passing(String message, Throwable cause) {
        return new TransferException(message, true, cause);
    }

    /** Every other try would fail alike. */
    static TransferException lasting(String message) {
        return new TransferException(message, false, null);
    }

    boolean isPassing() {
        return passing;
    }
}
