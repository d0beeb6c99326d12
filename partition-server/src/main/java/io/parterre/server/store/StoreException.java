package io.parterre.server.store;

/** The store could not do what it must: the replica that asked must not go on. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    StoreException(String message) {
        super(message);
    }
}
