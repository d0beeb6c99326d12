package io.parterre.server.rpc;

import java.time.Duration;

/**
 * How the members of a range are compared.
 *
 * @param interval about so often each range is, by its leader; zero: this node neither compares nor
 *     tells what it holds
 * @param bytesPerSecondMax of rows that this node reads for it
 * @param snapshotAgeMax for so long rows of one moment are kept to be read
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
