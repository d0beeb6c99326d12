package io.parterre.server.read;

import java.util.function.BooleanSupplier;

/** Whether a replica may answer a read now. Valid for one read only. */
public enum ReadGate {
    /** Rows opened from now on hold everything that was acknowledged. */
    OPEN,
    /**
     * The replica leads, but its lease has lapsed or its term has just begun: the gate soon opens,
     * or the replica no longer leads.
     */
    WAIT,
    /** The replica does not lead. */
    NOT_LEADER;

    /**
     * Decides from a replica's own state.
     *
     * @param awaited whether the replica may lead its new range soon, or the range is frozen
     * @param leads whether the replica leads by Raft, and nothing keeps it from serving; asked
     *     after {@code awaited}
     * @param lease whether no other member can lead now; asked only if the replica leads
     */
    public static ReadGate of(boolean awaited, BooleanSupplier leads, BooleanSupplier lease) {
        if (awaited) {
            return WAIT;
        }
        if (!leads.getAsBoolean()) {
            return NOT_LEADER;
        }
        return lease.getAsBoolean() ? OPEN : WAIT;
    }
}
