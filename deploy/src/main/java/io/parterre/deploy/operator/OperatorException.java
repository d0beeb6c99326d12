package io.parterre.deploy.operator;

import io.parterre.deploy.ExitCode;

/** The cluster did not answer, or refused; the message is for the operator. */
public final class OperatorException extends RuntimeException {
    private final ExitCode exitCode;

    OperatorException(ExitCode exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    public ExitCode exitCode() {
        return exitCode;
    }
}
