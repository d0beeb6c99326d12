package io.parterre.frontend.http;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * Open connections by client address. Used when a connection is accepted and when it ends, never
 * for a request. Thread-safe.
 *
 * @param <C> a connection, compared by identity
 */
final class ConnectionTable<C> {
    /** Value of "idle since" for a connection that is not idle. */
    static final long BUSY = Long.MAX_VALUE;

    private final ConnectionAdmission admission;
    private final ToLongFunction<C> idleSinceNanos;
    private final Map<Object, Set<C>> byAddress = new HashMap<>();

    /** Addresses by their number of connections, so that the busiest is found at once. */
    private final TreeMap<Integer, Set<Object>> byCount = new TreeMap<>();

    private int size;

    /**
     * The decision about a new connection.
     *
     * @param leaving the connection that makes room for the new one
     */
    record Seat<C>(ConnectionAdmission.Decision decision, Optional<C> leaving) {
        boolean stays() {
            return decision == ConnectionAdmission.Decision.STAY
                    || decision == ConnectionAdmission.Decision.REPLACE;
        }
    }

    /**
     * Creates an empty table.
     *
     * @param idleSinceNanos returns since when a connection is idle, or {@link #BUSY}; called on
     *     any thread
     */
    ConnectionTable(ConnectionAdmission admission, ToLongFunction<C> idleSinceNanos) {
        this.admission = admission;
        this.idleSinceNanos = idleSinceNanos;
    }

    /**
     * Decides about a connection, and adds it if it stays. A connection that makes room is already
     * removed.
     */
    synchronized Seat<C> seat(Object address, C connection) {
        int own = count(address);
        int busiest = byCount.isEmpty() ? 0 : byCount.lastKey();
        int addresses = byAddress.size() + (own == 0 ? 1 : 0);
        ConnectionAdmission.Decision decision = admission.decide(size, addresses, own, busiest);
        Optional<C> leaving = Optional.empty();
        if (decision == ConnectionAdmission.Decision.REPLACE) {
            Object crowded = byCount.lastEntry().getValue().iterator().next();
            leaving = idleLongest(crowded);
            if (leaving.isEmpty()) {
                decision = ConnectionAdmission.Decision.FULL;
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
            // Nanosecond values may wrap around, so they are compared by their difference.
            if (its != BUSY && (longest == null || its - since < 0)) {
                longest = each;
                since = its;
            }
        }
        return Optional.ofNullable(longest);
    }

    /** Removes a connection that has ended or is about to end. Idempotent. */
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
