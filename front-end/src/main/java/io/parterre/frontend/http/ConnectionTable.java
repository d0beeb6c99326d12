package io.parterre.frontend.http;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Open connections by client address. Asked when a connection comes and when it ends, never for a
 * request. Safe for any thread.
 *
 * @param <C> a connection, the same by identity
 */
final class ConnectionTable<C> {
    /** Idle since; for a connection that is not. */
    static final long BUSY = Long.MAX_VALUE;

    private final Seating seating;
    private final ToLongFunction<C> idleSinceNanos;
    private final Map<Object, Set<C>> byAddress = new HashMap<>();

    /** Addresses by how many connections they have, so that the busiest is found at once. */
    private final TreeMap<Integer, Set<Object>> byCount = new TreeMap<>();

    private int size;

    /**
     * What comes of a new connection.
     *
     * @param leaving the one that makes room for it
     */
    record Seat<C>(Seating.Decision decision, Optional<C> leaving) {
        boolean stays() {
            return decision == Seating.Decision.STAY || decision == Seating.Decision.REPLACE;
        }
    }

    /**
     * An empty table.
     *
     * @param idleSinceNanos since when a connection has nothing to do, or {@link #BUSY}; asked from
     *     any thread
     */
    ConnectionTable(Seating seating, ToLongFunction<C> idleSinceNanos) {
        this.seating = seating;
        this.idleSinceNanos = idleSinceNanos;
    }

    /** Decides about a connection, and enters it if it stays; the leaving one is out already. */
    synchronized Seat<C> seat(Object address, C connection) {
        int own = count(address);
        int busiest = byCount.isEmpty() ? 0 : byCount.lastKey();
        int addresses = byAddress.size() + (own == 0 ? 1 : 0);
        Seating.Decision decision = seating.decide(size, addresses, own, busiest);
        Optional<C> leaving = Optional.empty();
        if (decision == Seating.Decision.REPLACE) {
            Object crowded = byCount.lastEntry().getValue().iterator().next();
            leaving = idleLongest(crowded);
            if (leaving.isEmpty()) {
                decision = Seating.Decision.FULL;
            } else {
                leave(crowded, leaving.get());
            }
        }
        Seat<C> seat = new Seat<>(decision, leaving);
        if (seat.stays()) {
            enter(address, connection);
        }
        return seat;
    }

    private Optional<C> idleLongest(Object address) {
        C longest = null;
        long since = BUSY;
        for (C each : byAddress.get(address)) {
            long its = idleSinceNanos.applyAsLong(each);
            // Nanoseconds may wrap, so they are compared by their difference.
            if (its != BUSY && (longest == null || its - since < 0)) {
                longest = each;
                since = its;
            }
        }
        return Optional.ofNullable(longest);
    }

    /** A connection has ended, or is about to; told twice is no harm. */
    synchronized void leave(Object address, C connection) {
        Set<C> own = byAddress.get(address);
        if (own == null || !own.remove(connection)) {
            return;
        }
        size--;
        move(address, own.size() + 1, own.size());
        if (own.isEmpty()) {
            byAddress.remove(address);
        }
    }

    private void enter(Object address, C connection) {
        Set<C> own = byAddress.computeIfAbsent(address, any -> new LinkedHashSet<>());
        if (own.add(connection)) {
            size++;
            move(address, own.size() - 1, own.size());
        }
    }

    private void move(Object address, int before, int after) {
        if (before > 0) {
            Set<Object> left = byCount.get(before);
            left.remove(address);
            if (left.isEmpty()) {
                byCount.remove(before);
            }
        }
        if (after > 0) {
            byCount.computeIfAbsent(after, any -> new LinkedHashSet<>()).add(address);
        }
    }

    synchronized int size() {
        return size;
    }

    private int count(Object address) {
        Set<C> own = byAddress.get(address);
        return own == null ? 0 : own.size();
    }
}
