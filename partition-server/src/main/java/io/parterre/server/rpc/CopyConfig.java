package io.parterre.server.rpc;

import java.time.Duration;

/**
 * Limits of copies of replicas from node to node. Sizes are in bytes. Immutable.
 *
 * @param copiesMax copies that this node sends to others at a time
 * @param installsMax copies that this node installs at a time
 * @param bytesPerSecondMax rows sent a second by all copies together
 * @param partBytes rows sent as one message
 * @param idleMax time without progress after which either end gives a copy up
 */
public record CopyConfig(
        int copiesMax, int installsMax, long bytesPerSecondMax, int partBytes, Duration idleMax) {
    private static final int MIB = 1 << 20;

    public static final CopyConfig DEFAULT =
            new CopyConfig(2, 2, 64L * MIB, MIB / 2, Duration.ofSeconds(30));

    public CopyConfig {
        requirePositive("copiesMax", copiesMax);
        requirePositive("installsMax", installsMax);
        requirePositive("bytesPerSecondMax", bytesPerSecondMax);
        requirePositive("idleMax", idleMax.toMillis());
        // A message holds one more row than fits.
        if (partBytes <= 0 || partBytes > MIB) {
            throw new IllegalArgumentException(
                    "partBytes: " + partBytes + " (expected: 1.." + MIB + ")");
        }
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
