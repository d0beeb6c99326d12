package io.parterre.simulator;

import java.util.Random;

/**
 * How slow and how lossy what lies between nodes and manager is, and how fast data is copied.
 *
 * @param lossPercent of a hundred reports and answers so many are lost
 * @param orderSecondsMin an order is carried out so long after its answer, at least
 * @param orderSecondsMax and at most; orders about one range stay in their order
 * @param copyBytesPerSecond of one new replica; 0: at once
 * @param reportsKeptSeconds so long a node to which nothing happened repeats its last report, which
 *     makes large clusters cheaper; 1: it makes a new one each time
 */
public record SimNetwork(
        int lossPercent,
        int orderSecondsMin,
        int orderSecondsMax,
        long copyBytesPerSecond,
        int reportsKeptSeconds) {
    /** Loses nothing; orders take a few seconds. */
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
