package io.parterre.server.store;

/**
 * Thrown if the disk is full. Nothing was written, the store goes on, and the operation may be
 * retried.
 */
final class StoreFullException extends StoreException {
    private static final long serialVersionUID = 1L;

    StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
