package io.parterre.server.store;

/** Thrown if the store could not do an operation. The replica that requested it must not go on. */
public class StoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    StoreException(String message) {
        super(message);
    }
}
