package io.parterre.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The network between the nodes of a test. What a node sends to another goes through a relay of
 * that pair, over real sockets, so each way can be cut or slowed by itself. A way that is cut is
 * silent: nothing arrives, nothing fails, and what was sent meanwhile arrives late, as TCP's
 * repeats do. Safe for any thread.
 */
final class TestNetwork implements AutoCloseable {
    private record Pair(String from, String to) {}

    private final Map<Pair, NetworkWay> ways = new ConcurrentHashMap<>();
    private final Map<Pair, Relay> relays = new ConcurrentHashMap<>();
    private volatile boolean closed;

    private NetworkWay way(String from, String to) {
        return ways.computeIfAbsent(new Pair(from, to), pair -> new NetworkWay());
    }

    /** Where a node finds another one, host:port. */
    String address(String from, String to, String address) {
        if (from.equals(to)) {
            return address;
        }
        Relay relay =
                relays.computeIfAbsent(
                        new Pair(from, to),
                        pair -> {
                            try {
                                return new Relay(address, way(from, to), way(to, from));
                            } catch (IOException failure) {
                                throw new UncheckedIOException(failure);
                            }
                        });
        return relay.address();
    }

    /** Nothing of the one arrives at the other; what the other sends does. */
    void cut(String from, String to) {
        way(from, to).cut();
    }

    void cutBothWays(String one, String other) {
        cut(one, other);
        cut(other, one);
    }

    /** Cuts a node off from others. */
    void isolate(String node, List<String> others) {
        others.forEach(other -> cutBothWays(node, other));
    }

    /** All that is sent arrives later by so much, in order. */
    void delay(String from, String to, Duration time) {
        way(from, to).delay(time);
    }

    /** Connections of a pair break at once, and new ones break as well until it heals. */
    void breakBothWays(String one, String other) {
        way(one, other).refuse();
        way(other, one).refuse();
        resetBothWays(one, other);
    }

    /** Connections of a pair break at once; new ones work. */
    void resetBothWays(String one, String other) {
        relays.forEach(
                (pair, relay) -> {
                    if (pair.equals(new Pair(one, other)) || pair.equals(new Pair(other, one))) {
                        relay.reset();
                    }
                });
    }

    /** Everything arrives again, and at once. */
    void heal() {
        ways.values().forEach(NetworkWay::heal);
    }

    /**
     * New connections work again. What was connected stays silent for ever, as it does for minutes
     * when TCP's repeats have become rare, or for good behind a firewall that has forgotten it.
     */
    void healForNewConnections() {
        relays.forEach(
                (pair, relay) -> {
                    if (way(pair.from(), pair.to()).isCut()
                            || way(pair.to(), pair.from()).isCut()) {
                        relay.forget();
                    }
                });
        heal();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        new ArrayList<>(relays.values()).forEach(Relay::close);
        heal();
    }
}
