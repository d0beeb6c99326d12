package io.parterre.disk;

/** Levels of a disk's use that have consequences, the fullest last. */
public enum DiskLevel {
    OK,
    /** The node is to get nothing new, and some of its replicas are to move to other nodes. */
    HIGH,
    /** The node lets nothing grow, so that there is room for operations that free room. */
    CRITICAL
}
