package io.parterre.disk;

/**
 * Space on the file system of a data folder, in bytes. Immutable.
 *
 * @param usableBytes bytes that the process may still write, without those reserved for
 *     administrators
 * @param totalBytes size of the whole file system; 0: not known
 */
public record DiskSpace(long usableBytes, long totalBytes) {
    /** Space of a node that does not report it, such as one of an earlier release. */
    public static final DiskSpace UNKNOWN = new DiskSpace(0, 0);

    public DiskSpace {
        if (usableBytes < 0 || totalBytes < usableBytes) {
            throw new IllegalArgumentException(
                    "usableBytes, totalBytes: "
                            + usableBytes
                            + ", "
                            + totalBytes
                            + " (expected: 0 <= usable <= total)");
        }
    }

    /**
     * Returns the reported space, corrected so that both values fit. They are not read at the same
     * moment, and a file system may grow or shrink in between.
     */
    public static DiskSpace told(long usableBytes, long totalBytes) {
        long total = Math.max(0, totalBytes);
        return new DiskSpace(Math.min(total, Math.max(0, usableBytes)), total);
    }

    public boolean isKnown() {
        return totalBytes > 0;
    }

    /** Returns the space with so many bytes more in use; fewer, if negative. */
    public DiskSpace used(long bytes) {
        long usable = bytes > usableBytes ? 0 : usableBytes - Math.max(bytes, -totalBytes);
        return told(usable, totalBytes);
    }

    /** Returns whether more than this percentage is in use; false if the space is not known. */
    public boolean isAbove(int percent) {
        return isKnown() && usedPercent() > percent;
    }

    /** Percentage in use, 0 to 100; 0 if the space is not known. */
    public double usedPercent() {
        return isKnown() ? 100.0 * (totalBytes - usableBytes) / totalBytes : 0;
    }

    /** Percentage in use in whole percent, rounded up, so that a value above a mark reads so. */
    public int usedPercentUp() {
        return (int) Math.ceil(usedPercent());
    }
}
