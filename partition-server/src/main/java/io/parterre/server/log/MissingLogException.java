package io.parterre.server.log;

import java.io.IOException;

/** Rows are there, and the log that they were applied from is not. */
public final class MissingLogException extends IOException {
    private static final long serialVersionUID = 1L;

    public MissingLogException(String message) {
        super(message);
    }
}
