package io.parterre.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Free ports for processes that are killed and started again on the same port. They are below the
 * ports that systems assign to outgoing connections: any client could take one of those while the
 * process is down, even a client that then connects to itself. Thread-safe.
 */
public final class LoopbackPorts {
    static final String HOST = "127.0.0.1";

    private static final int LOWEST = 20_000;
    private static final int HIGHEST_EXCLUSIVE = 32_000;
    private static final int ATTEMPTS_MAX = 400;

    private final Set<Integer> given = new HashSet<>();

    /** Returns ports other than those of these nodes, whether they run or not. */
    static LoopbackPorts besides(Collection<LocalNode> nodes) {
        LoopbackPorts ports = new LoopbackPorts();
        nodes.forEach(node -> ports.given.addAll(node.ports().values()));
        return ports;
    }

    /** Returns a port on which no process listens now, and that was not returned before. */
    public synchronized int next() {
        for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(LOWEST, HIGHEST_EXCLUSIVE);
            if (!given.contains(port) && isFree(port)) {
                given.add(port);
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
        } catch (BindException e) {
            return false;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
