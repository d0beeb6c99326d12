package io.parterre.deploy.backup;

import java.time.Duration;

/**
 * How an archive is kept.
 *
 * @param parallel servers that are asked side by side
 * @param bytesPerSecond of records, from all servers; 0: as fast as they allow
 * @param interval pause between rounds: about how far the archive is behind
 * @param lease how long servers record after the archive has asked last
 * @param serverBytesMax of records that a server keeps at most
 * @param patience how long a server may be silent before what it alone may have counts as lost
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
