package io.parterre.deploy.transfer;

import java.util.Optional;

/**
 * A partition key about half way between two others, in the service's order by UTF-16 code units.
 * It contains only characters that are legal in a filter and an address. Stateless.
 */
final class KeyMidpoint {
    /** Longer than the prefix in which any two keys differ. */
    private static final int LENGTH_MAX = 256;

    private static final char ASCII_FIRST = ' ';
    private static final char ASCII_LAST = '~';
    private static final char WIDE_FIRST = '\u00A0';

    /** The code units after this one are surrogates, which are invalid alone. */
    private static final char LAST = '\uD7FF';

    private KeyMidpoint() {}

    /**
     * Returns a key above the first and below the second; empty if none was found.
     *
     * @param endExclusive empty string: no end
     */
    static Optional<String> between(String start, String endExclusive) {
        StringBuilder key = new StringBuilder();
        boolean bounded = !endExclusive.isEmpty();
        for (int at = 0; at < LENGTH_MAX; at++) {
            int low = at < start.length() ? start.charAt(at) : ASCII_FIRST - 1;
            int high = bounded && at < endExclusive.length() ? endExclusive.charAt(at) : LAST + 1;
            Optional<Character> middle = middle(low, high);
            if (middle.isPresent()) {
                return Optional.of(key.append(middle.get().charValue()).toString());
            }
            if (at >= start.length() || Character.isSurrogate(start.charAt(at))) {
                return Optional.empty();
            }
            key.append(start.charAt(at));
            // Once the key is below the end at some position, the end no longer bounds what
            // follows.
            bounded &= at < endExclusive.length() && low == high;
        }
        return Optional.empty();
    }

    /**
     * Returns a character between two others. Most keys are ASCII, so the split between ASCII and
     * other characters is tried first.
     */
    private static Optional<Character> middle(int low, int high) {
        int middle;
        if (low < ASCII_LAST && high > WIDE_FIRST) {
            middle = WIDE_FIRST;
        } else {
            middle = low + (high - low) / 2;
        }
        boolean usable =
                middle > low
                        && middle < high
                        && (middle >= ASCII_FIRST && middle <= ASCII_LAST
                                || middle >= WIDE_FIRST && middle <= LAST);
        return usable ? Optional.of((char) middle) : Optional.empty();
    }
}
