package io.parterre.manager.plan.view;

/** The health of a range's member. */
public enum Health {
    /** Its node reports, and the replica has the range's data and takes part. */
    HEALTHY,
    /** Its node reports, but the data has not arrived yet. */
    CATCHING_UP,
    /**
     * Unknown: its node has been silent for seconds, or has lacked the replica only for a moment.
     */
    SILENT,
    /** Its node reports and no longer holds the replica, because its disk was lost. */
    LOST,
    /** Its node reports that the replica is damaged and takes no part. */
    DAMAGED,
    /** Its node has been silent for minutes. */
    DEAD;

    /** Returns whether the member will not return by itself. */
    public boolean isGone() {
        return this == LOST || this == DAMAGED || this == DEAD;
    }
}
