package io.parterre.manager.map;

/** Why two neighbouring ranges are merged. */
public enum MergeReason {
    /** An operator asked for it. */
    OPERATOR,
    /** Together they have far less load than a range is split for. */
    QUIET,
    /** One of them is empty. */
    EMPTY
}
