package io.parterre.deploy.config;

/**
 * Keys of an address on which a role listens for the rest of the cluster.
 *
 * @param port 0: the default that the reference states for the key
 */
public record ListenSection(String host, int port) {
    static final ListenSection DEFAULT = new ListenSection("127.0.0.1", 0);

    public ListenSection {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host: '' (expected: a name or an address)");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
    }
}
