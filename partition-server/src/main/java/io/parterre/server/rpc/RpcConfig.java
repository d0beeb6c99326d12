package io.parterre.server.rpc;

import java.time.Duration;

/**
 * Limits of the RangeService. Sizes are in bytes. Immutable.
 *
 * @param pointReadThreads threads that read single rows
 * @param scanThreads threads that scan, separate from the former so that scans never delay them
 * @param readQueueMax reads of a kind, of all ranges, that wait for a thread; above it the answer
 *     is Busy
 * @param requestsInFlightMax requests of one stream not yet answered
 * @param bytesInFlightMax memory of all accepted requests and of answers not yet sent
 * @param scanBytesMax rows of one scan's answer
 * @param scanTimeMax time of one scan; a query that needs more queues again behind the waiting
 *     queries
 * @param retryAfter pause that Busy advises
 * @param rangeCaps limits of one range's requests under way
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

    /** Reads are bound by the processor, so more threads than cores would only take turns. */
    private static int threads() {
        return Math.max(2, Runtime.getRuntime().availableProcessors());
    }

    private static void requirePositive(String name, long value) {
        if (value <= 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: positive)");
        }
    }
}
