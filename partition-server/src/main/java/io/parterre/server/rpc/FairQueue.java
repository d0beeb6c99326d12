package io.parterre.server.rpc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A bounded queue in which owners take turns: one that has a thousand waiting delays another's one
 * by a turn and not by a thousand. Of one owner the first come first. Safe for any thread.
 */
final class FairQueue<K, T> {
    private final int sizeMax;
    // All below are guarded by this.
    private final Map<K, Lane<K, T>> lanes = new HashMap<>();
    private final Deque<Lane<K, T>> turns = new ArrayDeque<>();
    private int size;

    /** What one owner has waiting; there is none where that is nothing. */
    private record Lane<K, T>(K owner, Deque<T> waiting) {}

    FairQueue(int sizeMax) {
        this.sizeMax = sizeMax;
    }

    /** False: too much waits already. */
    synchronized boolean offer(K owner, T item) {
        if (size >= sizeMax) {
            return false;
        }
        Lane<K, T> lane = lanes.get(owner);
        if (lane == null) {
            lane = new Lane<>(owner, new ArrayDeque<>());
            lanes.put(owner, lane);
            turns.addLast(lane);
        }
        lane.waiting().addLast(item);
        size++;
        return true;
    }

    /** Takes the next ones, one of each owner in turn; empty: nothing waits. */
    synchronized List<T> poll(int countMax) {
        List<T> taken = new ArrayList<>(Math.min(countMax, size));
        while (taken.size() < countMax && size > 0) {
            Lane<K, T> lane = turns.removeFirst();
            taken.add(lane.waiting().removeFirst());
            size--;
            if (lane.waiting().isEmpty()) {
                lanes.remove(lane.owner());
            } else {
                turns.addLast(lane);
            }
        }
        return taken;
    }

    synchronized int size() {
        return size;
    }
}
