package io.parterre.chaos.workload;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Measured durations, reported by percentiles and the maximum. Confined to one thread. */
public final class Durations {
    private final List<Duration> measured = new ArrayList<>();

    public void add(Duration duration) {
        measured.add(duration);
    }

    /** Returns the durations in milliseconds, in the order in which they were measured. */
    public List<Long> millis() {
        return measured.stream().map(Duration::toMillis).toList();
    }

    public int count() {
        return measured.size();
    }

    /**
     * Returns the smallest duration that this percentage of durations does not exceed; zero if
     * nothing was measured.
     *
     * @param percent above 0, to 100
     */
    public Duration percentile(int percent) {
        if (measured.isEmpty()) {
            return Duration.ZERO;
        }
        List<Duration> sorted = new ArrayList<>(measured);
        Collections.sort(sorted);
        return sorted.get(Math.max(0, (sorted.size() * percent + 99) / 100 - 1));
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "count=%d p50=%dms p99=%dms max=%dms",
                count(),
                percentile(50).toMillis(),
                percentile(99).toMillis(),
                percentile(100).toMillis());
    }
}
