package io.parterre.server.metrics;

/** Result of a comparison of the members of a range. */
public enum Comparison {
    EQUAL("equal"),
    DIFFERS("differs"),
    UNDECIDED("undecided"),
    PASSED("passed"),
    NOT_REACHED("not_reached"),
    CHANGED("changed"),
    BUSY("busy"),
    LATE("late"),
    OTHER_RELEASE("other_release"),
    OFF("off"),
    ABSENT("absent"),
    UNREACHABLE("unreachable");

    final String label;

    Comparison(String label) {
        this.label = label;
    }
}
