package io.parterre.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How fast a process that has just started reaches its steady rate. Immutable.
 *
 * @param perSecond answers of each second since the process was ready
 */
public record WarmUp(List<Long> perSecond) {
    /** Seconds whose shares are reported. */
    private static final List<Integer> TOLD = List.of(1, 2, 5, 10, 30, 60);

    /** The last seconds of a run, one of this many parts, count as steady. */
    private static final int PARTS = 6;

    public WarmUp {
        if (perSecond.size() < PARTS) {
            throw new IllegalArgumentException(
                    "seconds: " + perSecond.size() + " (expected: " + PARTS + " or more)");
        }
        perSecond = List.copyOf(perSecond);
    }

    /** Returns the answers a second at the end. */
    public double steady() {
        int last = perSecond.size() / PARTS;
        return mean(perSecond.subList(perSecond.size() - last, perSecond.size()));
    }

    /**
     * Returns the answers of one second as a share of the steady rate; NaN if nothing was answered.
     */
    public double share(int second) {
        return steady() == 0 ? Double.NaN : perSecond.get(second - 1) / steady();
    }

    /** Returns the rate of the first seconds together as a share of the steady rate. */
    public double shareOfFirst(int seconds) {
        return steady() == 0 ? Double.NaN : mean(perSecond.subList(0, seconds)) / steady();
    }

    /** Returns the shares as text, for people. */
    public String told() {
        return TOLD.stream()
                        .filter(second -> second <= perSecond.size())
                        .map(
                                second ->
                                        String.format(
                                                Locale.ROOT,
                                                "second %d: %.2f",
                                                second,
                                                share(second)))
                        .collect(Collectors.joining(", "))
                + String.format(Locale.ROOT, " of %.0f/s", steady());
    }

    private static double mean(List<Long> counts) {
        return counts.stream().mapToLong(Long::longValue).average().orElse(0);
    }
}
