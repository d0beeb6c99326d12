package io.parterre.server.metrics;

/** Result of a comparison of the members of a range. */
public enum Comparison {
    EQUAL,
    DIFFERS,
    UNDECIDED,
    PASSED,
    NOT_REACHED,
    CHANGED,
    BUSY,
    LATE,
    OTHER_RELEASE,
    OFF,
    ABSENT,
    UNREACHABLE
}
