package io.parterre.server.store;

import java.time.Duration;

/**
 * Memory and flush policy of the store. Immutable.
 *
 * @param blockCacheBytes cache of data, index and filter blocks
 * @param writeBufferBytes rows in memory before RocksDB writes them to a file, all replicas
 *     together; also bounds what a restart replays
 * @param flushAgeMax longest time for which a row stays in memory only; also bounds what a restart
 *     replays
 * @param openFilesMax files of rows kept open; others are opened when they are read
 */
public record StoreConfig(
        long blockCacheBytes, long writeBufferBytes, Duration flushAgeMax, int openFilesMax) {
    private static final long MIB = 1 << 20;
    private static final int OPEN_FILES_MAX = 1_000;

    /** RocksDB reserves about ten open files for itself. */
    private static final int OPEN_FILES_MIN = 20;

    public static final StoreConfig DEFAULT =
            new StoreConfig(64 * MIB, 64 * MIB, Duration.ofSeconds(60));

    /** Makes settings with the default number of open files. */
    public StoreConfig(long blockCacheBytes, long writeBufferBytes, Duration flushAgeMax) {
        this(blockCacheBytes, writeBufferBytes, flushAgeMax, OPEN_FILES_MAX);
    }

    public StoreConfig {
        requireAtLeast("blockCacheBytes", blockCacheBytes, MIB);
        requireAtLeast("writeBufferBytes", writeBufferBytes, 4 * MIB);
        requireAtLeast("openFilesMax", openFilesMax, OPEN_FILES_MIN);
        if (flushAgeMax.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "flushAgeMax: " + flushAgeMax + " (expected: >= PT1S)");
        }
    }

    /** Returns these settings with no more open files than given. */
    public StoreConfig withOpenFilesAtMost(int files) {
        return new StoreConfig(
                blockCacheBytes,
                writeBufferBytes,
                flushAgeMax,
                Math.max(OPEN_FILES_MIN, Math.min(openFilesMax, files)));
    }

    private static void requireAtLeast(String name, long value, long min) {
        if (value < min) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + min + ")");
        }
    }
}
