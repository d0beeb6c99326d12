package io.parterre.server.metrics;

/** How a copy of a replica ended, at its sender or its receiver. */
public enum CopyEnd {
    /** Sent, or taken in, whole. */
    DONE("done"),
    /** As many are under way as may be. */
    BUSY("busy"),
    /** The range is led elsewhere by now. */
    NOT_LEADER("not_leader"),
    /** The other node fell silent, went away or ended it. */
    CONNECTION("connection"),
    /** What came was damaged or not whole. */
    DAMAGED("damaged"),
    /** Anything else; the log says what. */
    FAILED("failed");

    private final String label;

    CopyEnd(String label) {
        this.label = label;
    }

    String label() {
        return label;
    }
}
