package io.parterre.server;

import java.time.Duration;

/**
 * Limits on how long a disk may hang. Immutable.
 *
 * @param stalledAfter time for which a log waits for the disk before the node transfers its
 *     leadership and reports a stalled disk; for the store, five times as long
 * @param endAfter time that the disk then has to recover; after it the process ends, if the other
 *     members go on without it
 */
public record DiskConfig(Duration stalledAfter, Duration endAfter) {
    /**
     * Both are multiples of {@code endAfter}, for a node that the other members cannot do without.
     */
    private static final int BACK_OFF_MIN = 4;

    private static final int BACK_OFF_MAX = 8;

    public static final DiskConfig DEFAULT =
            new DiskConfig(Duration.ofSeconds(4), Duration.ofSeconds(30));

    public DiskConfig {
        if (stalledAfter.compareTo(Duration.ofMillis(100)) < 0) {
            throw new IllegalArgumentException(
                    "stalledAfter: " + stalledAfter + " (expected: >= 100 ms)");
        }
        if (endAfter.isNegative() || endAfter.isZero()) {
            throw new IllegalArgumentException("endAfter: " + endAfter + " (expected: above 0)");
        }
    }

    /**
     * Returns the time that the disk of a node has to recover if the node's end would help nobody.
     *
     * @param random 0 to 1, different for each process
     */
    Duration backOff(double random) {
        double times = BACK_OFF_MIN + (BACK_OFF_MAX - BACK_OFF_MIN) * random;
        return Duration.ofNanos((long) (endAfter.toNanos() * times));
    }
}
