package io.parterre.chaos;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Clients that make a server hold as much as they can: each says something once, reads little or
 * nothing of the answer, and comes again when it is cut off. One thread for all of them, since they
 * have nothing to do.
 */
final class Hoarders implements AutoCloseable {
    private static final Duration TICK = Duration.ofSeconds(1);

    /** Of each kind and tick: they shall hold, not win by their number. */
    private static final int REOPENED_PER_TICK_MAX = 200;

    /** Between requests it is skipped. */
    private static final byte[] BLANK_LINE = {'\r', '\n'};

    private final InetSocketAddress server;
    private final List<Kind> kinds = new ArrayList<>();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();

    /** Clients that all do the same. */
    final class Kind {
        private final String address;
        private final byte[] said;
        private final List<SocketChannel> open = new ArrayList<>();
        private final int wanted;
        private final ByteBuffer taken;
        private final AtomicInteger cutOff = new AtomicInteger();

        private Kind(String address, int wanted, int bytesPerTick, byte[] said) {
            this.address = address;
            this.wanted = wanted;
            this.taken = ByteBuffer.allocate(bytesPerTick);
            this.said = said;
        }

        /** How often one was cut off, or not let in. */
        int cutOff() {
            return cutOff.get();
        }

        private void open(int most) throws IOException {
            for (int i = 0; i < most && open.size() < wanted; i++) {
                SocketChannel channel = SocketChannel.open();
                open.add(channel);
                channel.setOption(StandardSocketOptions.SO_RCVBUF, 4_096);
                channel.bind(new InetSocketAddress(address, 0));
                channel.connect(server);
                channel.configureBlocking(false);
                try {
                    channel.write(ByteBuffer.wrap(said));
                } catch (IOException closedAtOnce) {
                    continue; // Found by the next tick.
                }
            }
        }

        private void tick() throws IOException {
            List<SocketChannel> gone = new ArrayList<>();
            for (SocketChannel channel : open) {
                if (hasEnded(channel)) {
                    gone.add(channel);
                    channel.close();
                }
            }
            open.removeAll(new HashSet<>(gone));
            cutOff.addAndGet(gone.size());
            open(REOPENED_PER_TICK_MAX);
        }

        private boolean hasEnded(SocketChannel channel) {
            try {
                if (said.length > 0) {
                    // The end comes after all that it does not read; a reset overtakes it.
                    channel.write(ByteBuffer.wrap(BLANK_LINE));
                }
                return channel.read(taken.clear()) < 0;
            } catch (IOException reset) {
                return true;
            }
        }
    }

    Hoarders(URI endpoint) {
        server = new InetSocketAddress(endpoint.getHost(), endpoint.getPort());
    }

    /**
     * Sets so many to work, from one address.
     *
     * @param bytesPerSecond that each reads at most
     * @param said by each as soon as it is connected
     */
    Kind add(String address, int clients, int bytesPerSecond, byte[] said) throws IOException {
        Kind kind = new Kind(address, clients, bytesPerSecond, said);
        kinds.add(kind);
        kind.open(clients);
        return kind;
    }

    /** Lets them go on, from when all were added. */
    void start() {
        thread.scheduleAtFixedRate(
                this::tick, TICK.toMillis(), TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void tick() {
        for (Kind kind : kinds) {
            try {
                kind.tick();
            } catch (IOException noMoreSockets) {
                continue; // Others may end, and then it goes on.
            }
        }
    }

    @Override
    public void close() throws IOException {
        thread.shutdownNow();
        try {
            thread.awaitTermination(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        for (Kind kind : kinds) {
            for (SocketChannel channel : kind.open) {
                channel.close();
            }
        }
    }
}
