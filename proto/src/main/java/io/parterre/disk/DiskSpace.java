package io.parterre.disk;

/**
 * Room on the file system of a data folder, in bytes.
 *
 * @param usableBytes that the process may still write; what is kept for administrators is not among
 *     them
 * @param totalBytes of the whole file system; 0: not known
 */
public record DiskSpace(long usableBytes, long totalBytes) {
    /** Of a node that does not tell, such as one of an earlier release. */
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
     * What was told, made to fit: the two are not read at one moment, and a file system may grow or
     * shrink in between.
     */
    public static DiskSpace told(long usableBytes, long totalBytes) {
        long total = Math.max(0, totalBytes);
        return new DiskSpace(Math.min(total, Math.max(0, usableBytes)), total);
    }

    public boolean isKnown() {
        return totalBytes > 0;
    }

    /** The same with so many bytes more in use; fewer, if negative. */
    public DiskSpace used(long bytes) {
        long usable = bytes > usableBytes ? 0 : usableBytes - Math.max(bytes, -totalBytes);
        return told(usable, totalBytes);
    }

    /** Whether more than this part of it is in use; no, if nothing is known. */
    public boolean isAbove(int percent) {
        return isKnown() && usedPercent() > percent;
    }

    /** Part in use, 0 to 100; 0, if nothing is known. */
    public double usedPercent() {
        return isKnown() ? 100.0 * (totalBytes - usableBytes) / totalBytes : 0;
    }

    /** Part in use in whole percent, rounded up, so that what is above a mark reads so. */
    public int usedPercentUp() {
        return (int) Math.ceil(usedPercent());
    }
}
