package io.parterre.server.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bounded queue in which owners take turns, and the parts of what each of them wants: an owner
 * that has a thousand waiting, in however many parts, delays another's one by a turn and not by a
 * thousand. Of one part the first come first. Safe for any thread.
 *
 * @param <K> owners
 * @param <P> parts of one owner
 */
final class FairQueue<K, P, T> {
    private final int sizeMax;
    // All below are guarded by this.
    private final Turns<K, Turns<P, Deque<T>>> owners = new Turns<>();
    private int size;

    /** Lanes that take turns; there is none in which nothing waits. */
    private static final class Turns<N, L> {
        private final Map<N, L> lanes = new HashMap<>();
        private final Deque<N> order = new ArrayDeque<>();

        /** The lane of that name, the last in turn if it is new. */
        private L lane(N name, L fresh) {
            L known = lanes.putIfAbsent(name, fresh);
            if (known == null) {
                order.addLast(name);
            }
            return known == null ? fresh : known;
        }

        /** Whose turn it is. */
        private L first() {
            return lanes.get(order.getFirst());
        }

        /** Its turn is over. */
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

    /** False: too much waits already. */
    synchronized boolean offer(K owner, P part, T item) {
        if (size >= sizeMax) {
            return false;
        }
        owners.lane(owner, new Turns<>()).lane(part, new ArrayDeque<>()).addLast(item);
        size++;
        return true;
    }

    /** Takes the next ones, one of each owner in turn; empty: nothing waits. */
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
