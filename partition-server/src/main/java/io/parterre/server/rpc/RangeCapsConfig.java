package io.parterre.server.rpc;

import java.time.Duration;

/**
 * What one range may have under way at this node before it refuses some, so that it takes nothing
 * from the others. At four times these figures it refuses all.
 *
 * @param pointReadsMax point reads taken and not yet answered
 * @param scansMax scans likewise
 * @param commandsMax commands likewise
 * @param bytesMax requests of a kind, in bytes
 * @param waitMax time from taking a request to its answer, once an eighth of the above is under way
 * @param hotPartitionPercent a partition with this share of what is asked of the range is hot
 * @param partitionOperationsPerSecondMax operations on one partition; 0: any number
 */
public record RangeCapsConfig(
        int pointReadsMax,
        int scansMax,
        int commandsMax,
        long bytesMax,
        Duration waitMax,
        int hotPartitionPercent,
        int partitionOperationsPerSecondMax) {
    public static final RangeCapsConfig DEFAULT =
            new RangeCapsConfig(512, 64, 1_024, 8L << 20, Duration.ofSeconds(1), 25, 0);

    public RangeCapsConfig {
        requirePositive("pointReadsMax", pointReadsMax);
        requirePositive("scansMax", scansMax);
        requirePositive("commandsMax", commandsMax);
        requirePositive("bytesMax", bytesMax);
        requirePositive("waitMax", waitMax.toMillis());
        if (hotPartitionPercent < 1 || hotPartitionPercent > 100) {
            throw new IllegalArgumentException(
                    "hotPartitionPercent: " + hotPartitionPercent + " (expected: 1..100)");
        }
        if (partitionOperationsPerSecondMax < 0) {
            throw new IllegalArgumentException(
                    "partitionOperationsPerSecondMax: "
                            + partitionOperationsPerSecondMax
                            + " (expected: not negative)");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
