package io.parterre.server.load;

/** Comparison of a range's requests under way with its {@link RangeCap}. */
public enum Fill {
    WITHIN,
    /** Some requests have to be refused: those of a hot partition if there is one, else scans. */
    OVER,
    /** No further request is accepted. */
    FULL
}
