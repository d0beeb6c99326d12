package io.parterre.deploy.embedded;

import io.parterre.deploy.ExitCode;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;

/**
 * An address that this process is to listen on, and the settings that name it.
 *
 * @param portSetting flag and key, as whoever starts the process would change them
 */
record ListenAddress(String host, int port, String hostSetting, String portSetting) {
    static ListenAddress ofTables(String host, int port) {
        return new ListenAddress(
                host, port, "--host (frontEnd.http.host)", "--table-port (frontEnd.http.port)");
    }

    static ListenAddress ofAdmin(String host, int port) {
        return new ListenAddress(host, port, "--host (admin.host)", "--admin-port (admin.port)");
    }

    /**
     * Listens for a moment, so that a taken address is known before anything is made.
     *
     * @throws StartException if the address is in use or not ours
     */
    void check() throws StartException {
        try (ServerSocketChannel probe = ServerSocketChannel.open()) {
            probe.bind(new InetSocketAddress(host, port));
        } catch (UnresolvedAddressException | IOException e) {
            throw refused(e);
        }
    }

    /** The address cannot be listened on, for this reason. */
    StartException refused(Exception failure) {
        boolean unknown = new InetSocketAddress(host, port).isUnresolved();
        String reason = unknown ? "unknown host" : words(failure);
        boolean hostToBlame = unknown || reason.contains("Cannot assign requested address");
        return new StartException(
                ExitCode.ADDRESS_IN_USE,
                "cannot listen on "
                        + host
                        + ":"
                        + port
                        + ": "
                        + reason
                        + "; choose another with "
                        + (hostToBlame ? hostSetting : portSetting),
                failure);
    }

    /** The system's own, without what each transport puts before them. */
    private static String words(Exception failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage()).replaceFirst("^bind.*error\\(-?\\d+\\): ", "");
    }
}
