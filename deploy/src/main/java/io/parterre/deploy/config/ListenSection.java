package io.parterre.deploy.config;

/**
 * Keys of an address on which a role listens for the rest of the cluster.
 *
 * @param port 0: the default that the reference states for the key
 */
public record ListenSection(String host, int port) {
    static final ListenSection DEFAULT = new ListenSection("127.0.0.1", 0);

    public ListenSection {
        HostPort.require(host, port);
    }
}
