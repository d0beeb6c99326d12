package io.parterre.disk;

/** How full a disk is, as far as anything comes of it; fuller ones last. */
public enum DiskLevel {
    OK,
    /** The node is to get nothing new, and is to give some of what it has to others. */
    HIGH,
    /** The node lets nothing grow, so that there is room left for what frees room. */
    CRITICAL
}
