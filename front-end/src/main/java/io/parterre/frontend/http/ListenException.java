package io.parterre.frontend.http;

import java.io.IOException;
import java.nio.channels.UnresolvedAddressException;

/** The server cannot listen on its address: in use, not ours, or not permitted. */
public final class ListenException extends IOException {
    private static final long serialVersionUID = 1L;

    private final String host;
    private final int port;

    ListenException(String host, int port, Throwable cause) {
        super("cannot listen on " + host + ":" + port + ": " + reason(cause), cause);
        this.host = host;
        this.port = port;
    }

    private static String reason(Throwable cause) {
        // It has no message.
        return cause instanceof UnresolvedAddressException
                ? "unknown host"
                : String.valueOf(cause.getMessage());
    }

    public String host() {
        return host;
    }

    public int port() {
        return port;
    }
}
