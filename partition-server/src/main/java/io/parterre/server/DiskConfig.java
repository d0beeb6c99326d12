package io.parterre.server;

import java.time.Duration;

/**
 * How long a disk may hang.
 *
 * @param stalledAfter time that a log or five times it that the store waits for the disk; after
 *     that the node gives its leaderships away and says so
 * @param endAfter time that it then has to come back; after that the process ends, if the others go
 *     on without it
 */
public record DiskConfig(Duration stalledAfter, Duration endAfter) {
    /** Times the patience of a node that others could do without. */
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
     * Time that a node has to come back whose end would help nobody.
     *
     * @param random 0 to 1, another one for each process
     */
    Duration backOff(double random) {
        double times = BACK_OFF_MIN + (BACK_OFF_MAX - BACK_OFF_MIN) * random;
        return Duration.ofNanos((long) (endAfter.toNanos() * times));
    }
}
