package io.parterre.manager.map;

/** How a move ended. */
public enum MoveEnd {
    /** The range has the intended members. */
    DONE,
    /** The move could not be finished, or was not needed any more. */
    GIVEN_UP
}
