package io.parterre.error;

/** Who has to do something about an error. */
public enum Blame {
    /** The request is wrong: tell the client. */
    CALLER,
    /** Nobody: refresh the map, back off, try again. */
    RETRY,
    /** We are: log, count, stop what would go on wrongly. */
    FAULT
}
