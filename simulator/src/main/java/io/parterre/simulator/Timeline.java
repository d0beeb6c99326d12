package io.parterre.simulator;

import java.util.PriorityQueue;

/**
 * What is still to happen, in simulated milliseconds; what falls on one of them, as it was set. For
 * one thread.
 */
public final class Timeline {
    private record Event(long atMillis, long number, Runnable happens)
            implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int times = Long.compare(atMillis, other.atMillis);
            return times != 0 ? times : Long.compare(number, other.number);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private long nowMillis = 1_000;
    private long numbers;
    private long count;

    public long nowMillis() {
        return nowMillis;
    }

    /** Events so far. */
    public long count() {
        return count;
    }

    public void in(long millis, Runnable happens) {
        events.add(new Event(nowMillis + millis, ++numbers, happens));
    }

    /** The next event happens. */
    public void step() {
        Event next = events.remove();
        nowMillis = next.atMillis();
        count++;
        next.happens().run();
    }

    /** All happens that falls before this, and what follows from it. */
    void runUntil(long endMillis) {
        while (!events.isEmpty() && events.peek().atMillis() < endMillis) {
            step();
        }
        nowMillis = endMillis;
    }
}
