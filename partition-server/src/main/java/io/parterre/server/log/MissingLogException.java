package io.parterre.server.log;

import java.io.IOException;

/** A replica has rows, but the log from which they were applied is missing. */
public final class MissingLogException extends IOException {
    private static final long serialVersionUID = 1L;

    public MissingLogException(String message) {
        super(message);
    }
}
