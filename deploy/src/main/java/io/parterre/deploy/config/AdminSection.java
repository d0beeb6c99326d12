package io.parterre.deploy.config;

/**
 * Keys of the port for operators.
 *
 * @param port 0: any free port
 */
public record AdminSection(String host, int port) {
    static final AdminSection DEFAULT = new AdminSection("127.0.0.1", 10_010);

    public AdminSection {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host: '' (expected: a name or an address)");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
    }
}
