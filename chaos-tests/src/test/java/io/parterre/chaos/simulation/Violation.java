package io.parterre.chaos.simulation;

import java.util.Locale;

/** Something happened that never must. */
final class Violation extends AssertionError {
    private static final long serialVersionUID = 1;

    Violation(String what) {
        super(what);
    }

    /** Throws unless it holds; the words are put together only then. */
    static void unless(boolean holds, String format, Object... details) {
        if (!holds) {
            throw new Violation(String.format(Locale.ROOT, format, details));
        }
    }
}
