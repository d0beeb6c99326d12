package io.parterre.error;

/** Who has to react to an error. */
public enum Blame {
    /** The caller: the request is wrong, and the client is told. */
    CALLER,
    /** Nobody: refresh the map, back off, retry. */
    RETRY,
    /** The cluster: log, count, stop the part that would go on wrongly. */
    FAULT
}
