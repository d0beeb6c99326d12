package io.parterre.deploy.config;

/**
 * An address at which other processes reach a process.
 *
 * @param host a name or an address; IPv6 without brackets
 * @param port 0: a port to which no one can connect, as within a process
 */
public record HostPort(String host, int port) {
    public HostPort {
        require(host, port);
    }

    /** Refuses a blank name, and a port that no address has. */
    static void require(String host, int port) {
        if (host.isBlank()) {
            throw new IllegalArgumentException("host: '' (expected: a name or an address)");
        }
        if (port < 0 || port > 65_535) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
    }

    /**
     * Parses {@code host:port}; an IPv6 address is in brackets.
     *
     * @throws IllegalArgumentException with what was found and what is expected
     */
    public static HostPort parse(String text) {
        String stripped = text.strip();
        int colon = stripped.lastIndexOf(':');
        String host = colon < 0 ? "" : stripped.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) {
            host = host.substring(1, host.length() - 1);
        }
        boolean formed =
                !host.isBlank()
                        && (bracketed || !host.contains(":"))
                        && stripped.substring(colon + 1).matches("\\d{1,5}");
        if (!formed) {
            throw new IllegalArgumentException("'" + stripped + "' (expected: host:port)");
        }
        return new HostPort(host, Integer.parseInt(stripped.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
