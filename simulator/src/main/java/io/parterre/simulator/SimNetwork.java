package io.parterre.simulator;

import java.util.Random;

/**
 * Delays and losses between nodes and manager, and the speed of copies. Immutable.
 *
 * @param lossPercent percentage of reports and answers that are lost
 * @param orderSecondsMin shortest time from an answer to the execution of its order
 * @param orderSecondsMax longest such time; orders about one range keep their order
 * @param copyBytesPerSecond of one new replica; 0: at once
 * @param reportsKeptSeconds for this long a node to which nothing happened repeats its last report,
 *     which makes large clusters cheaper; 1: a new report each time
 */
public record SimNetwork(
        int lossPercent,
        int orderSecondsMin,
        int orderSecondsMax,
        long copyBytesPerSecond,
        int reportsKeptSeconds) {
    /** Loses nothing. Orders take a few seconds. */
    public static final SimNetwork DEFAULT = new SimNetwork(0, 1, 4, 0, 1);

    public SimNetwork {
        if (lossPercent < 0 || lossPercent > 100) {
            throw new IllegalArgumentException(
                    "lossPercent: " + lossPercent + " (expected: 0 to 100)");
        }
        orderSecondsMin = Math.max(1, orderSecondsMin);
        orderSecondsMax = Math.max(orderSecondsMin, orderSecondsMax);
        reportsKeptSeconds = Math.max(1, reportsKeptSeconds);
    }

    SimNetwork withLoss(int percent) {
        return new SimNetwork(
                percent, orderSecondsMin, orderSecondsMax, copyBytesPerSecond, reportsKeptSeconds);
    }

    boolean loses(Random random) {
        return random.nextInt(100) < lossPercent;
    }

    int orderSeconds(Random random) {
        return orderSecondsMin + random.nextInt(orderSecondsMax - orderSecondsMin + 1);
    }

    long copySeconds(long bytes) {
        return copyBytesPerSecond == 0 ? 0 : bytes / copyBytesPerSecond;
    }
}
