package io.parterre.chaos.simulation;

import java.util.PriorityQueue;

/** What is still to happen, in simulated milliseconds; what falls on one of them, as it was set. */
final class Timeline {
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

    long nowMillis() {
        return nowMillis;
    }

    /** Events so far. */
    long count() {
        return count;
    }

    void in(long millis, Runnable happens) {
        events.add(new Event(nowMillis + millis, ++numbers, happens));
    }

    /** The next event happens. */
    void step() {
        Event next = events.remove();
        nowMillis = next.atMillis();
        count++;
        next.happens().run();
    }
}
