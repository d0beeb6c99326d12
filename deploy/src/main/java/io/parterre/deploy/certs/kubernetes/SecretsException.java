package io.parterre.deploy.certs.kubernetes;

/** Secrets cannot be read, written or used; the message is for the operator. */
public final class SecretsException extends RuntimeException {
    SecretsException(String message) {
        super(message);
    }

    SecretsException(String message, Throwable cause) {
        super(message, cause);
    }
}
