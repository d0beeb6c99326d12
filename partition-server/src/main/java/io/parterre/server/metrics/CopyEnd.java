package io.parterre.server.metrics;

/** How a copy of a replica ended, at its sender or its receiver. */
public enum CopyEnd {
    /** Sent or received whole. */
    DONE,
    /** As many copies are under way as allowed. */
    BUSY,
    /** The range is led elsewhere by now. */
    NOT_LEADER,
    /** The other node fell silent, went away or ended the copy. */
    CONNECTION,
    /** The received data was damaged or not whole. */
    DAMAGED,
    /** Anything else; the log has the reason. */
    FAILED
}
