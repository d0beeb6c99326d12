package io.parterre.server.raft;

/** Whether a replica may answer a read now; never to be kept for the next one. */
public enum ReadGate {
    /** Rows opened from now on hold everything that was acknowledged. */
    OPEN,
    /** It leads, but its lease has lapsed or its term has just begun: soon open, or gone. */
    WAIT,
    /** It does not lead. */
    NOT_LEADER
}
