package io.parterre.bench.report;

import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * How fast a process that has just started becomes as fast as it stays. Immutable.
 *
 * @param perSecond answers of each second since it was ready
 */
public record WarmUp(List<Long> perSecond) {
    /** Seconds whose share is told. */
    private static final List<Integer> TOLD = List.of(1, 2, 5, 10, 30, 60);

    /** The last seconds of a run, one of so many parts, count as steady. */
    private static final int PARTS = 6;

    public WarmUp {
        if (perSecond.size() < PARTS) {
            throw new IllegalArgumentException(
                    "seconds: " + perSecond.size() + " (expected: " + PARTS + " or more)");
        }
        perSecond = List.copyOf(perSecond);
    }

    /** Answers a second at the end. */
    public double steady() {
        int last = perSecond.size() / PARTS;
        return mean(perSecond.subList(perSecond.size() - last, perSecond.size()));
    }

    /** Answers of one second as a share of the steady rate; NaN where nothing was answered. */
    public double share(int second) {
        return steady() == 0 ? Double.NaN : perSecond.get(second - 1) / steady();
    }

    /** The rate of the first seconds together as a share of the steady one. */
    public double shareOfFirst(int seconds) {
        return steady() == 0 ? Double.NaN : mean(perSecond.subList(0, seconds)) / steady();
    }

    /** For a person. */
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
