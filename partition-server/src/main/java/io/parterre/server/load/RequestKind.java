package io.parterre.server.load;

/** What is asked of a range, by what it has to wait for there. */
public enum RequestKind {
    POINT_READ,
    /** The first to be refused: one costs as much as many of the others. */
    SCAN,
    COMMAND
}
