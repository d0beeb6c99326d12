package io.parterre.manager.plan;

import java.time.Duration;

/**
 * When ranges are cut without being asked for.
 *
 * @param enabled whether they are at all; operators may cut in any case
 * @param operationsPerSecondMax reads and writes of one range above which a part of it is led
 *     elsewhere
 * @param bytesMax size of one range above which it is cut
 * @param observeFor a leader's numbers count once it has led the range for so long
 * @param splitsMax splits at once in the whole cluster
 */
public record SplitPolicy(
        boolean enabled,
        int operationsPerSecondMax,
        long bytesMax,
        Duration observeFor,
        int splitsMax) {
    /** Well within what one partition bears on a small machine; few, large ranges. */
    public static final SplitPolicy DEFAULT =
            new SplitPolicy(true, 2_500, 16L << 30, Duration.ofSeconds(10), 8);

    public SplitPolicy {
        requirePositive("operationsPerSecondMax", operationsPerSecondMax);
        requirePositive("bytesMax", bytesMax);
        requirePositive("splitsMax", splitsMax);
        if (observeFor.isNegative()) {
            throw new IllegalArgumentException(
                    "observeFor: " + observeFor + " (expected: not negative)");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
