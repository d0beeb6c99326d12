package io.parterre.server;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;

/** Carries connections of one node to another. Its threads end with it. */
final class Relay implements AutoCloseable {
    private static final int CHUNK_BYTES = 16 << 10;

    /** Together what the sockets of both ends would hold; the sender is held up after that. */
    private static final int CHUNKS_UNDER_WAY_MAX = 64;

    private static final int CONNECT_MILLIS_MAX = 2_000;

    private final ServerSocket listening;
    private final InetSocketAddress target;
    private final NetworkWay there;
    private final NetworkWay back;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

    /**
     * A relay that listens from now on.
     *
     * @param target host:port
     * @param there what becomes of what the node that connects sends
     * @param back what becomes of what it is sent
     */
    Relay(String target, NetworkWay there, NetworkWay back) throws IOException {
        int colon = target.lastIndexOf(':');
        this.target =
                new InetSocketAddress(
                        target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        this.there = there;
        this.back = back;
        listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        daemon("relay-accept", this::accept);
    }

    private static void daemon(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    private void accept() {
        try {
            while (!listening.isClosed()) {
                Socket socket = listening.accept();
                if (there.isRefusing() || back.isRefusing()) {
                    reset(socket);
                } else {
                    connections.add(new Connection(socket));
                }
            }
        } catch (IOException closed) {
            listening.isClosed();
        }
    }

    /** Breaks what is connected. */
    void reset() {
        connections.forEach(Connection::reset);
    }

    /** Nothing that is connected now hears of the other end any more. */
    void forget() {
        connections.forEach(Connection::forget);
    }

    @Override
    public void close() {
        try {
            listening.close();
        } catch (IOException failure) {
            throw new IllegalStateException(failure);
        }
        connections.forEach(Connection::reset);
    }

    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            socket.isClosed();
        }
    }

    /**
     * Bytes under way.
     *
     * @param bytes none: the sender has ended the connection
     */
    private record Chunk(long sentNanos, byte[] bytes) {}

    private final class Connection {
        private final Socket near;
        private final Socket far = new Socket();
        private volatile boolean forgotten;

        Connection(Socket near) {
            this.near = near;
            daemon("relay-connection", this::connect);
        }

        /** Even the first packet waits where the way is cut. */
        private void connect() {
            try {
                there.awaitPassage(System.nanoTime());
                back.awaitPassage(System.nanoTime());
                far.connect(target, CONNECT_MILLIS_MAX);
                near.setTcpNoDelay(true);
                far.setTcpNoDelay(true);
            } catch (IOException refused) {
                reset();
                return;
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return;
            }
            carry(near, far, there);
            carry(far, near, back);
        }

        private void carry(Socket from, Socket to, NetworkWay way) {
            BlockingQueue<Chunk> underWay = new ArrayBlockingQueue<>(CHUNKS_UNDER_WAY_MAX);
            daemon("relay-read", () -> read(from, underWay));
            daemon("relay-write", () -> write(underWay, to, way));
        }

        private void read(Socket from, BlockingQueue<Chunk> underWay) {
            byte[] buffer = new byte[CHUNK_BYTES];
            try {
                int count = 0;
                while (count >= 0) {
                    try {
                        count = from.getInputStream().read(buffer);
                    } catch (IOException broken) {
                        count = -1;
                    }
                    byte[] bytes = new byte[Math.max(count, 0)];
                    System.arraycopy(buffer, 0, bytes, 0, bytes.length);
                    underWay.put(new Chunk(System.nanoTime(), bytes));
                }
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private void write(BlockingQueue<Chunk> underWay, Socket to, NetworkWay way) {
            try {
                for (; ; ) {
                    Chunk chunk = underWay.take();
                    way.awaitPassage(chunk.sentNanos());
                    if (forgotten) {
                        return;
                    }
                    if (chunk.bytes().length == 0) {
                        end(to);
                        return;
                    }
                    to.getOutputStream().write(chunk.bytes());
                }
            } catch (IOException broken) {
                end(to);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        /** The other way learns of it when its own end is told. */
        private void end(Socket to) {
            try {
                to.close();
            } catch (IOException gone) {
                to.isClosed();
            }
            if (near.isClosed() && far.isClosed()) {
                connections.remove(this);
            }
        }

        void forget() {
            forgotten = true;
        }

        void reset() {
            Relay.reset(near);
            Relay.reset(far);
            connections.remove(this);
        }
    }
}
