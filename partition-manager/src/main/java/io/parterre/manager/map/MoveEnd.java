package io.parterre.manager.map;

/** How a move came to its end. */
public enum MoveEnd {
    /** The range has the members it was to have. */
    DONE,
    /** It could not be finished, or nobody needs it any more. */
    GIVEN_UP
}
