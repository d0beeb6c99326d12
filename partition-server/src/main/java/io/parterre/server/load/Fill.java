package io.parterre.server.load;

/** How what a range has under way compares with its {@link RangeCap}. */
public enum Fill {
    WITHIN,
    /** Somebody has to be refused: a hot partition if there is one, else scans. */
    OVER,
    /** Nothing more is taken. */
    FULL
}
