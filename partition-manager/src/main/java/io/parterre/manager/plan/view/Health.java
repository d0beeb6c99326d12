package io.parterre.manager.plan.view;

/** How a member of a range is. */
public enum Health {
    /** Its node reports, and the replica has the range's data and takes part. */
    HEALTHY,
    /** Its node reports, the data is not there yet. */
    CATCHING_UP,
    /**
     * Nobody knows: its node has been silent for seconds, or has just begun to lack the replica.
     */
    SILENT,
    /** Its node reports and does not hold the replica any more: its disk was lost. */
    LOST,
    /** Its node reports, and what it holds of the replica is damaged and takes no part. */
    DAMAGED,
    /** Its node has been silent for minutes. */
    DEAD;

    /** Whether the member will not come back by itself. */
    public boolean isGone() {
        return this == LOST || this == DAMAGED || this == DEAD;
    }
}
