package io.parterre.server.store;

/** The disk is full. Nothing was written, the store goes on, and it may be tried again. */
final class StoreFullException extends StoreException {
    private static final long serialVersionUID = 1L;

    StoreFullException(String message, Throwable cause) {
        super(message, cause);
    }
}
