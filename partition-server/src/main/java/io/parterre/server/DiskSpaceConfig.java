package io.parterre.server;

import io.parterre.disk.DiskMarks;
import io.parterre.disk.DiskSpace;

/**
 * Limits on how full the file system of the data folder may become. Immutable.
 *
 * @param highPercent with more in use, the server warns
 * @param criticalPercent with more in use, the server refuses growth: writes that take more room,
 *     and copies
 * @param reserveBytes size of a file that is deleted then; 0: no such file
 */
public record DiskSpaceConfig(int highPercent, int criticalPercent, long reserveBytes) {
    public static final DiskSpaceConfig DEFAULT = new DiskSpaceConfig(85, 95, 64 << 20);

    /** The reserve takes at most this part (1/20) of a disk. */
    private static final int RESERVE_PART_MAX = 20;

    /**
     * Bytes left for votes, the store's list of files, its log, and the first writes of a start.
     */
    private static final long LEFT_BYTES_MIN = 16 << 20;

    /** At most this part (1/50) of the disk is left for them. */
    private static final int LEFT_PART_MAX = 50;

    public DiskSpaceConfig {
        new DiskMarks(highPercent, criticalPercent);
        if (reserveBytes < 0) {
            throw new IllegalArgumentException(
                    "reserveBytes: " + reserveBytes + " (expected: >= 0)");
        }
    }

    /**
     * Returns the settings of a node that has the machine's only disk, as a developer's has.
     * Nothing can be moved away from a disk that others fill, so by default writes go on until the
     * disk is almost full.
     */
    public DiskSpaceConfig ofOneNode() {
        return equals(DEFAULT) ? new DiskSpaceConfig(95, 99, 0) : this;
    }

    /**
     * Returns whether so little is left that only small writes such as votes, and writes that make
     * room, are allowed. False if the space is not known.
     */
    boolean isFull(DiskSpace space) {
        return space.isKnown() && space.usableBytes() < leftBytesMin(space);
    }

    /**
     * Returns the bytes that logs may add before the disk is full; no limit if the space is not
     * known.
     */
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

    /**
     * Returns the bytes of the reserve on a disk of this size; fewer than configured on a small
     * disk.
     */
    long reserveBytes(DiskSpace space) {
        return Math.min(reserveBytes, space.totalBytes() / RESERVE_PART_MAX);
    }
}
