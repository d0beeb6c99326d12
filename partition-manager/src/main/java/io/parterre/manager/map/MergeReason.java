package io.parterre.manager.map;

/** Why two neighbouring ranges become one. */
public enum MergeReason {
    /** An operator asked for it. */
    OPERATOR,
    /** Together they are far below what one range is split for. */
    QUIET,
    /** One of them holds nothing. */
    EMPTY
}
