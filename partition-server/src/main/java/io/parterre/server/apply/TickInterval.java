package io.parterre.server.apply;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** An interval of ticks, both ends inclusive. */
record TickInterval(long from, long to) {
    TickInterval {
        if (from > to) {
            throw new IllegalArgumentException("to: " + to + " (expected: >= " + from + ")");
        }
    }

    boolean contains(long ticks) {
        return from <= ticks && ticks <= to;
    }

    /**
     * Returns at most {@code countMax} disjoint intervals, in order, that cover at least the ticks
     * of these. If there are too many, the closest two are joined, with the gap between them.
     */
    static List<TickInterval> joined(List<TickInterval> intervals, int countMax) {
        List<TickInterval> all = new ArrayList<>(intervals);
        all.sort(Comparator.comparingLong(TickInterval::from));
        for (int i = 1; i < all.size(); ) {
            if (all.get(i).from - 1 <= all.get(i - 1).to) {
                joinAt(all, i);
            } else {
                i++;
            }
        }
        while (all.size() > countMax) {
            int closest = 1;
            for (int i = 2; i < all.size(); i++) {
                closest = gapBefore(all, i) < gapBefore(all, closest) ? i : closest;
            }
            joinAt(all, closest);
        }
        return List.copyOf(all);
    }

    private static long gapBefore(List<TickInterval> all, int index) {
        return all.get(index).from - all.get(index - 1).to;
    }

    /** Joins an interval with the one before it. */
    private static void joinAt(List<TickInterval> all, int index) {
        TickInterval right = all.remove(index);
        TickInterval left = all.get(index - 1);
        all.set(index - 1, new TickInterval(left.from, Math.max(left.to, right.to)));
    }
}
