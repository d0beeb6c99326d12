package io.parterre.server.rpc;

import java.time.Duration;

/**
 * Limits of the RangeService. Sizes are in bytes.
 *
 * @param pointReadThreads threads that read single rows
 * @param scanThreads threads that scan, apart from the former so that scans never delay them
 * @param readQueueMax reads of a kind, of all ranges, waiting for a thread; over it the answer is
 *     Busy
 * @param requestsInFlightMax requests of one stream not yet answered
 * @param bytesInFlightMax memory of all requests taken and answers not yet sent
 * @param scanBytesMax rows of one scan's answer
 * @param scanTimeMax time of one scan; a query that needs more takes its turn again, behind those
 *     that have waited meanwhile
 * @param retryAfter what Busy advises
 * @param rangeCaps what one range may have under way
 */
public record RpcConfig(
        int pointReadThreads,
        int scanThreads,
        int readQueueMax,
        int requestsInFlightMax,
        long bytesInFlightMax,
        int scanBytesMax,
        Duration scanTimeMax,
        Duration retryAfter,
        RangeCapsConfig rangeCaps) {
    private static final int MIB = 1 << 20;

    public static final RpcConfig DEFAULT =
            new RpcConfig(
                    threads(),
                    threads(),
                    4096,
                    4096,
                    64L * MIB,
                    3 * MIB,
                    Duration.ofMillis(250),
                    Duration.ofMillis(50),
                    RangeCapsConfig.DEFAULT);

    public RpcConfig {
        requirePositive("pointReadThreads", pointReadThreads);
        requirePositive("scanThreads", scanThreads);
        requirePositive("readQueueMax", readQueueMax);
        requirePositive("requestsInFlightMax", requestsInFlightMax);
        requirePositive("bytesInFlightMax", bytesInFlightMax);
        requirePositive("scanBytesMax", scanBytesMax);
        requirePositive("scanTimeMax", scanTimeMax.toMillis());
        requirePositive("retryAfter", retryAfter.toMillis());
    }

    /** Reads compute: more threads than cores would only take turns. */
    private static int threads() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
