package io.parterre.server.store;

import java.io.IOException;

/**
 * Thrown if a store cannot be opened because data on disk reads differently than it was written.
 */
public final class DamagedStoreException extends IOException {
    private static final long serialVersionUID = 1L;

    DamagedStoreException(String message, Throwable cause) {
        super(message, cause);
    }
}
