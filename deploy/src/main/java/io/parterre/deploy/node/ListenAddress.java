package io.parterre.deploy.node;

import io.parterre.deploy.ExitCode;
import io.parterre.deploy.config.HostPort;
import io.parterre.deploy.config.ParterreConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.UnresolvedAddressException;
import java.util.List;

/**
 * An address on which this process is to listen, and the settings that name it.
 *
 * @param portSetting flag and key, as an operator would change them
 */
record ListenAddress(String host, int port, String hostSetting, String portSetting) {
    static ListenAddress ofTables(ParterreConfig config) {
        return new ListenAddress(
                config.frontEnd().http().host(),
                config.frontEnd().http().port(),
                "--host (frontEnd.http.host)",
                "--table-port (frontEnd.http.port)");
    }

    static ListenAddress ofAdmin(ParterreConfig config) {
        return new ListenAddress(
                config.admin().host(),
                config.admin().port(),
                "--host (admin.host)",
                "--admin-port (admin.port)");
    }

    static List<ListenAddress> ofManager(ParterreConfig config) {
        return List.of(
                of(
                        config.manager().raftListens(config.cluster().managers()),
                        "--host (manager.raft.host)",
                        "manager.raft.port"),
                of(
                        config.manager().serviceListens(config.cluster().managers()),
                        "--host (manager.service.host)",
                        "manager.service.port"));
    }

    static List<ListenAddress> ofServer(ParterreConfig config) {
        return List.of(
                of(
                        config.server().listens(),
                        "--host (server.service.host)",
                        "--service-port (server.service.port)"),
                new ListenAddress(
                        config.server().raft().host(),
                        config.server().raft().port(),
                        "--host (server.raft.host)",
                        "--raft-port (server.raft.port)"));
    }

    private static ListenAddress of(HostPort address, String hostSetting, String portSetting) {
        return new ListenAddress(address.host(), address.port(), hostSetting, portSetting);
    }

    /**
     * Listens for a moment, so that a taken address is detected before anything is made.
     *
     * @throws StartException if the address is in use or does not belong to this machine
     */
    void check() throws StartException {
        try (ServerSocketChannel probe = ServerSocketChannel.open()) {
            probe.bind(new InetSocketAddress(host, port));
        } catch (UnresolvedAddressException | IOException e) {
            throw refused(e);
        }
    }

    /** Returns the exception for an address that cannot be listened on, for this reason. */
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

    /** Returns the system's own message, without the prefixes of the transports. */
    private static String words(Exception failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        return String.valueOf(cause.getMessage()).replaceFirst("^bind.*error\\(-?\\d+\\): ", "");
    }
}
