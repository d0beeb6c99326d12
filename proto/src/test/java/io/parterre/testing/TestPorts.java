package io.parterre.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Ports of the loopback address for servers that have to know each other's before they start, and
 * that stop and start again. The system lends none of them to a connection, since they lie below
 * those, and no other process of tests gives the same: each has blocks of its own, whose first port
 * it keeps bound as long as it runs. Safe for any thread.
 */
public final class TestPorts {
    /** Above those that the product has by default, below those of {@code LoopbackPorts}. */
    private static final int LOWEST = 12_000;

    private static final int HIGHEST_EXCLUSIVE = 20_000;
    private static final int BLOCK = 100;

    // Guarded by the class.
    private static final List<ServerSocket> KEPT = new ArrayList<>();
    private static int next = HIGHEST_EXCLUSIVE;

    private TestPorts() {}

    /**
     * Returns a port that nobody listens on, and that no test has been given before.
     *
     * @throws IllegalStateException if none is left
     */
    public static synchronized int next() {
        while (true) {
            if (next % BLOCK == 0) {
                next = takeBlock();
            }
            int port = next++;
            try {
                bound(port).close();
                return port;
            } catch (BindException takenBySomethingElse) {
                continue;
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
        }
    }

    private static int takeBlock() {
        int blocks = (HIGHEST_EXCLUSIVE - LOWEST) / BLOCK;
        int first = ThreadLocalRandom.current().nextInt(blocks);
        for (int i = 0; i < blocks; i++) {
            int begin = LOWEST + (first + i) % blocks * BLOCK;
            try {
                KEPT.add(bound(begin));
                return begin + 1;
            } catch (BindException ofAnotherProcess) {
                continue;
            } catch (IOException cause) {
                throw new UncheckedIOException(cause);
            }
        }
        throw new IllegalStateException(
                "no free block of ports in " + LOWEST + ".." + (HIGHEST_EXCLUSIVE - 1));
    }

    private static ServerSocket bound(int port) throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            // A connection that ended there lately is nobody who listens.
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return socket;
        } catch (IOException failure) {
            socket.close();
            throw failure;
        }
    }
}
