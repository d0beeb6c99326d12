package io.parterre.server.metrics;

/** How a copy of a replica ended, at its sender or its receiver. */
public enum CopyEnd {
    /** Sent or received whole. */
    DONE("done"),
    /** As many copies are under way as allowed. */
    BUSY("busy"),
    /** The range is led elsewhere by now. */
    NOT_LEADER("not_leader"),
    /** The other node fell silent, went away or ended the copy. */
    CONNECTION("connection"),
    /** The received data was damaged or not whole. */
    DAMAGED("damaged"),
    /** Anything else; the log has the reason. */
    FAILED("failed");

    private final String label;

    CopyEnd(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
