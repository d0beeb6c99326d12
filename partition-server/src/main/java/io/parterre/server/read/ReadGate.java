package io.parterre.server.read;

import java.util.function.BooleanSupplier;

/** Whether a replica may answer a read now; never to be kept for the next one. */
public enum ReadGate {
    /** Rows opened from now on hold everything that was acknowledged. */
    OPEN,
    /** It leads, but its lease has lapsed or its term has just begun: soon open, or gone. */
    WAIT,
    /** It does not lead. */
    NOT_LEADER;

    /**
     * What follows from what a replica knows of itself.
     *
     * @param awaited whether its range is about to be led here, or to be absorbed
     * @param leads whether Raft has it lead, and nothing keeps it from that; asked after the first
     * @param lease whether nobody else can lead now; asked of one that leads
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
