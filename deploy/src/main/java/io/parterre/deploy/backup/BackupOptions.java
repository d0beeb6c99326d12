package io.parterre.deploy.backup;

import java.time.Duration;

/**
 * Options of a backup or a restore.
 *
 * @param parallel number of parts read or written in parallel
 * @param bytesPerSecond limit for rows of all parts together; 0: as fast as the nodes allow
 * @param patience how long a range may be without a leader or changing; twelve times as long while
 *     its node is busy
 */
public record BackupOptions(int parallel, long bytesPerSecond, Duration patience) {
    private static final int PARALLEL_MAX = 256;

    public BackupOptions {
        if (parallel < 1 || parallel > PARALLEL_MAX) {
            throw new IllegalArgumentException(
                    "parallel: " + parallel + " (expected: 1.." + PARALLEL_MAX + ")");
        }
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "bytesPerSecond: " + bytesPerSecond + " (expected: >= 0)");
        }
    }
}
