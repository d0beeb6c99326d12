package io.parterre.server.raft;

import java.io.IOException;

/** Rows are there, and the log that they were applied from is not. */
final class MissingLogException extends IOException {
    private static final long serialVersionUID = 1L;

    MissingLogException(String message) {
        super(message);
    }
}
