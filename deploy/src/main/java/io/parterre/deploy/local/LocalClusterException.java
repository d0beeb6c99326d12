package io.parterre.deploy.local;

/** The cluster cannot be made, found or brought to serve; the message is for the operator. */
public final class LocalClusterException extends RuntimeException {
    LocalClusterException(String message) {
        super(message);
    }

    LocalClusterException(String message, Throwable cause) {
        super(message, cause);
    }
}
