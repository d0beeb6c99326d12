package io.parterre.server;

import java.time.Duration;

/**
 * How long a disk may hang.
 *
 * @param stalledAfter time that a log or five times it that the store waits for the disk; after
 *     that the node gives its leads away and says so
 * @param endAfter time that it then has to come back; after that the process ends
 */
public record DiskConfig(Duration stalledAfter, Duration endAfter) {
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
}
