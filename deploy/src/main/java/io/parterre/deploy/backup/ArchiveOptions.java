package io.parterre.deploy.backup;

import java.time.Duration;

/**
 * Options of an archive.
 *
 * @param parallel number of servers asked in parallel
 * @param bytesPerSecond limit for records from all servers; 0: as fast as they allow
 * @param interval pause between rounds, which is roughly how far the archive lags behind
 * @param lease how long servers record after the archive's last request
 * @param serverBytesMax most bytes of records that a server keeps
 * @param patience how long a server may be silent before changes that only it may have count as
 *     lost
 */
public record ArchiveOptions(
        int parallel,
        long bytesPerSecond,
        Duration interval,
        Duration lease,
        long serverBytesMax,
        Duration patience) {
    private static final Duration LEASE_MAX = Duration.ofDays(7);

    public ArchiveOptions {
        if (parallel < 1 || parallel > 256) {
            throw new IllegalArgumentException("parallel: " + parallel + " (expected: 1..256)");
        }
        if (bytesPerSecond < 0) {
            throw new IllegalArgumentException(
                    "bytesPerSecond: " + bytesPerSecond + " (expected: >= 0)");
        }
        if (interval.isNegative() || interval.compareTo(Duration.ofMinutes(10)) > 0) {
            throw new IllegalArgumentException("interval: " + interval + " (expected: 0..10m)");
        }
        if (lease.compareTo(Duration.ofMinutes(1)) < 0 || lease.compareTo(LEASE_MAX) > 0) {
            throw new IllegalArgumentException("lease: " + lease + " (expected: 1m..7d)");
        }
        if (serverBytesMax < 1 << 20) {
            throw new IllegalArgumentException(
                    "serverBytesMax: " + serverBytesMax + " (expected: >= 1048576)");
        }
    }
}
