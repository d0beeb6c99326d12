package io.parterre.frontend.table;

import java.util.Optional;

/**
 * An interval of strings in ordinal order; never empty. The smallest string after {@code s} is
 * {@code s + "\0"}, so every comparison is such an interval.
 *
 * @param toExclusive upper bound, exclusive; empty: no upper bound
 */
record TextSpan(String from, Optional<String> toExclusive) {
    static final TextSpan ALL = new TextSpan("", Optional.empty());

    static String after(String text) {
        return text + "\0";
    }

    /** Returns whether the span contains exactly one string. */
    boolean isPoint() {
        return toExclusive.isPresent() && toExclusive.get().equals(after(from));
    }
}
