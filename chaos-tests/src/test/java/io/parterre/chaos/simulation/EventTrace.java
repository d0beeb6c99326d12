package io.parterre.chaos.simulation;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The latest things that happened, to see how it came to a violation. What is noted must not change
 * afterwards: it becomes words only if it is asked for.
 */
final class EventTrace {
    private record Line(long atMillis, String what, Object[] about) {
        @Override
        public String toString() {
            return String.format("%8d ms  %s %s", atMillis, what, Arrays.toString(about));
        }
    }

    private final Line[] lines;
    private final LongSupplier nowMillis;
    private long count;
    private long digest = 1;

    EventTrace(int linesMax, LongSupplier nowMillis) {
        this.lines = new Line[linesMax];
        this.nowMillis = nowMillis;
    }

    void note(String what, Object... about) {
        lines[(int) (count++ % lines.length)] = new Line(nowMillis.getAsLong(), what, about);
        digest = digest * 31 + what.hashCode() + nowMillis.getAsLong() * 17;
    }

    /** The same for runs in which the same has happened. */
    long digest() {
        return digest;
    }

    /** Oldest first. */
    List<String> lines() {
        List<String> told = new ArrayList<>();
        for (long i = Math.max(0, count - lines.length); i < count; i++) {
            told.add(lines[(int) (i % lines.length)].toString());
        }
        return told;
    }
}
