package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;

/** The node cannot start; the message is for the operator and needs no stack trace. */
public final class StartException extends Exception {
    private final ExitCode exitCode;

    StartException(ExitCode exitCode, String message, Throwable cause) {
        super(message, cause);
        this.exitCode = exitCode;
    }

    StartException(ExitCode exitCode, String message) {
        this(exitCode, message, null);
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
