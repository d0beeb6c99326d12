package io.parterre.server.store;

import java.time.Duration;

/**
 * Memory and flush policy of the store.
 *
 * @param blockCacheBytes cache of data, index and filter blocks
 * @param writeBufferBytes rows in memory before RocksDB writes them to a file, all replicas
 *     together; also bounds what a restart replays
 * @param flushAgeMax how long a row may stay in memory only; also bounds what a restart replays
 */
public record StoreConfig(long blockCacheBytes, long writeBufferBytes, Duration flushAgeMax) {
    private static final long MIB = 1 << 20;

    public static final StoreConfig DEFAULT =
            new StoreConfig(64 * MIB, 64 * MIB, Duration.ofSeconds(60));

    public StoreConfig {
        requireAtLeast("blockCacheBytes", blockCacheBytes, MIB);
        requireAtLeast("writeBufferBytes", writeBufferBytes, 4 * MIB);
        if (flushAgeMax.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "flushAgeMax: " + flushAgeMax + " (expected: >= PT1S)");
        }
    }

    private static void requireAtLeast(String name, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + min + ")");
        }
    }
}
