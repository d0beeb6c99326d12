package io.parterre.server.rpc;

import java.time.Duration;

/**
 * Limits of one range's requests under way at this node. Above them the node refuses some requests,
 * so that the range takes nothing from other ranges. Above four times these figures it refuses all.
 * Immutable.
 *
 * @param pointReadsMax point reads accepted and not yet answered
 * @param scansMax scans accepted and not yet answered
 * @param commandsMax commands accepted and not yet answered
 * @param bytesMax bytes of the requests of a kind
 * @param waitMax time from accepting a request to its answer; counts once an eighth of the above is
 *     under way
 * @param hotPartitionPercent share of the range's operations from which on a partition is hot
 * @param partitionOperationsPerSecondMax operations a second on one partition; 0: no limit
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
