package io.parterre.server.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bounded queue in which owners take turns, and within an owner its parts. An owner with a
 * thousand waiting items, in any number of parts, delays an item of another owner by one turn and
 * not by a thousand. Items of one part are first in, first out. Safe for any thread.
 *
 * @param <K> owners
 * @param <P> parts of one owner
 */
final class FairQueue<K, P, T> {
    private final int sizeMax;
    // All below are guarded by this.
    private final Turns<K, Turns<P, Deque<T>>> owners = new Turns<>();
    private int size;

    /** Lanes that take turns; a lane exists only while items wait in it. */
    private static final class Turns<N, L> {
        private final Map<N, L> lanes = new HashMap<>();
        private final Deque<N> order = new ArrayDeque<>();

        /** Returns the lane of that name, which becomes the last in turn if it is new. */
        private L lane(N name, L fresh) {
            L known = lanes.putIfAbsent(name, fresh);
            if (known == null) {
                order.addLast(name);
            }
            return known == null ? fresh : known;
        }

        /** Returns the lane whose turn it is. */
        private L first() {
            return lanes.get(order.getFirst());
        }

        /** Ends the turn of the first lane. */
        private void next(boolean isEmpty) {
            N name = order.removeFirst();
            if (isEmpty) {
                lanes.remove(name);
            } else {
                order.addLast(name);
            }
        }

        private boolean isEmpty() {
            return order.isEmpty();
        }
    }

    FairQueue(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    /** Adds an item. Returns false if the queue is full. */
    synchronized boolean offer(K owner, P part, T item) {
        if (size >= sizeMax) {
            return false;
        }
        owners.lane(owner, new Turns<>()).lane(part, new ArrayDeque<>()).addLast(item);
        size++;
        return true;
    }

    /** Takes the next items, one of each owner in turn; empty: nothing waits. */
    synchronized List<T> poll(int countMax) {
        List<T> taken = new ArrayList<>(Math.min(countMax, size));
        while (taken.size() < countMax && size > 0) {
            Turns<P, Deque<T>> parts = owners.first();
            Deque<T> waiting = parts.first();
            taken.add(waiting.removeFirst());
            size--;
            parts.next(waiting.isEmpty());
            owners.next(parts.isEmpty());
        }
        return taken;
    }

    synchronized int size() {
        return size;
    }
}
