package io.parterre.deploy.config;

/**
 * Keys of the port for operators.
 *
 * @param port 0: any free port
 */
public record AdminSection(String host, int port) {
    static final AdminSection DEFAULT = new AdminSection("127.0.0.1", 10_010);

    public AdminSection {
        HostPort.require(host, port);
    }
}
