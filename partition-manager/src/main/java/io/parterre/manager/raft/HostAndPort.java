package io.parterre.manager.raft;

/** The address of a Raft server. Port 0 stands for a free one. */
record HostAndPort(String host, int port) {
    /**
     * Reads {@code host:port}.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static HostAndPort parse(String text) {
        int colon = text.lastIndexOf(':');
        if (colon <= 0 || !text.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException("raftAddress: '" + text + "' (expected: host:port)");
        }
        return new HostAndPort(
                text.substring(0, colon), Integer.parseInt(text.substring(colon + 1)));
    }
}
