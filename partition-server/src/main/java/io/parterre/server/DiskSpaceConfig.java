package io.parterre.server;

import io.parterre.disk.DiskMarks;
import io.parterre.disk.DiskSpace;

/**
 * How full the file system of the data folder may become before something comes of it.
 *
 * @param highPercent with more in use, the server warns
 * @param criticalPercent with more in use, it lets nothing grow
 * @param reserveBytes of a file that is given back then; 0: none
 */
public record DiskSpaceConfig(int highPercent, int criticalPercent, long reserveBytes) {
    public static final DiskSpaceConfig DEFAULT = new DiskSpaceConfig(85, 95, 64 << 20);

    /** A disk is held to have room for a reserve of this part of it at most. */
    private static final int RESERVE_PART_MAX = 20;

    /** For votes, the store's list of files, its log, and what a start writes. */
    private static final long LEFT_BYTES_MIN = 16 << 20;

    /** At most this part of the disk is left for these. */
    private static final int LEFT_PART_MAX = 50;

    public DiskSpaceConfig {
        new DiskMarks(highPercent, criticalPercent);
        if (reserveBytes < 0) {
            throw new IllegalArgumentException(
                    "reserveBytes: " + reserveBytes + " (expected: >= 0)");
        }
    }

    /**
     * The same for a node that has the machine's only disk, as a developer's: nothing can be moved
     * away from a disk that others fill, so by default writes go on until it is all but full.
     */
    public DiskSpaceConfig ofOneNode() {
        return equals(DEFAULT) ? new DiskSpaceConfig(95, 99, 0) : this;
    }

    /**
     * Whether so little is left that only what is small may be written, such as votes, and what
     * makes room. No, where nothing is known.
     */
    boolean isFull(DiskSpace space) {
        return space.isKnown() && space.usableBytes() < leftBytesMin(space);
    }

    /** Bytes that logs may add before the disk is full; no limit, where nothing is known. */
    long entryBytes(DiskSpace space) {
        return space.isKnown()
                ? Math.max(0, space.usableBytes() - leftBytesMin(space))
                : Long.MAX_VALUE;
    }

    private static long leftBytesMin(DiskSpace space) {
        return Math.min(LEFT_BYTES_MIN, space.totalBytes() / LEFT_PART_MAX);
    }

    DiskMarks marks() {
        return new DiskMarks(highPercent, criticalPercent);
    }

    /** Bytes of the reserve on a disk like this one; fewer than configured on a small one. */
    long reserveBytes(DiskSpace space) {
        return Math.min(reserveBytes, space.totalBytes() / RESERVE_PART_MAX);
    }
}
