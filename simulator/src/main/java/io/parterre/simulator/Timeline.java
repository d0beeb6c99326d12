package io.parterre.simulator;

import java.util.PriorityQueue;

/**
 * Pending events in simulated milliseconds. Events of the same millisecond happen in the order in
 * which they were set. Not thread-safe.
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

    /** Returns the number of past events. */
    public long count() {
        return count;
    }

    public void in(long millis, Runnable happens) {
        events.add(new Event(nowMillis + millis, ++numbers, happens));
    }

    /** Runs the next event. */
    public void step() {
        Event next = events.remove();
        nowMillis = next.atMillis();
        count++;
        next.happens().run();
    }

    /** Runs all events before this time, those that they cause included. */
    void runUntil(long endMillis) {
        while (!events.isEmpty() && events.peek().atMillis() < endMillis) {
            step();
        }
        nowMillis = endMillis;
    }
}
