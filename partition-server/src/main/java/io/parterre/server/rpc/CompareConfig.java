package io.parterre.server.rpc;

import java.time.Duration;

/**
 * How the members of a range are compared. Immutable.
 *
 * @param interval approximate time between two comparisons of a range by its leader; zero: this
 *     node neither compares nor answers comparisons
 * @param bytesPerSecondMax rate at which this node reads rows for comparisons
 * @param snapshotAgeMax longest time for which a snapshot of the rows is kept to be read
 */
public record CompareConfig(Duration interval, long bytesPerSecondMax, Duration snapshotAgeMax) {
    public static final CompareConfig DEFAULT =
            new CompareConfig(Duration.ofHours(24), 8 << 20, Duration.ofMinutes(10));

    public CompareConfig {
        if (interval.isNegative()) {
            throw new IllegalArgumentException("interval: " + interval + " (expected: >= 0)");
        }
        if (bytesPerSecondMax <= 0) {
            throw new IllegalArgumentException(
                    "bytesPerSecondMax: " + bytesPerSecondMax + " (expected: above 0)");
        }
        if (snapshotAgeMax.isNegative() || snapshotAgeMax.isZero()) {
            throw new IllegalArgumentException(
                    "snapshotAgeMax: " + snapshotAgeMax + " (expected: above 0)");
        }
    }

    public boolean isOff() {
        return interval.isZero();
    }
}
