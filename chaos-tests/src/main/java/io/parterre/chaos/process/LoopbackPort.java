package io.parterre.chaos.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports for servers that are killed and started again on the same port. They lie below the
 * ports that systems lend to outgoing connections: one of those could be taken by any client while
 * the server is down, even by a client that then connects to itself.
 */
final class LoopbackPort {
    private static final int LOWEST = 20_000;
    private static final int HIGHEST_EXCLUSIVE = 32_000;
    private static final int ATTEMPTS_MAX = 200;

    private LoopbackPort() {}

    /** A port that nobody listens on now; safe for any thread. */
    static int free() {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST_EXCLUSIVE);
            if (isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException(
                "no free port in " + LOWEST + ".." + (HIGHEST_EXCLUSIVE - 1) + " on loopback");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return true;
        } catch (java.net.BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
