package io.parterre.server.raft;

/** Moments of a split at which a crash must do no harm; tests stop a node at each. */
public enum SplitStep {
    /**
     * Both ranges are in the store's memory, and on disk is what was there before the split was
     * applied; the child has no Raft group.
     */
    APPLIED,
    /** They are on disk. */
    FLUSHED,
    /** The child has its group here, and no leader. */
    GROUP_ADDED,
    /** The child is led here. */
    ELECTED
}
