package io.parterre.frontend.http;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;

/**
 * The server cannot listen on its address: it is in use, does not belong to this machine, or is not
 * permitted.
 */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1L;

    ListenException(String host, int port, Throwable cause) {
        super("cannot listen on " + host + ":" + port + ": " + reason(cause), cause);
    }

    private static String reason(Throwable cause) {
        // This exception has no message.
        return cause instanceof UnresolvedAddressException
                ? "unknown host"
                : String.valueOf(cause.getMessage());
    }
}
