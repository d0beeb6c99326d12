package io.parterre.server.raft;

/** Whether a replica's rows are the truth about some keys. */
public enum KeysHeld {
    HELD,
    /** They may be about to go to another range: not to be read until that is known. */
    PENDING,
    /** They are of another range. */
    GONE
}
