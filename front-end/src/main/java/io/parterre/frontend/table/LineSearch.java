package io.parterre.frontend.table;

import java.util.Arrays;

/**
 * Finds given bytes where a line begins or a JSON object has just ended, by Horspool's rule: most
 * of what lies between is stepped over and never looked at. Takes time linear in the bytes
 * searched, whatever they are: within lines only short ones are sought; long ones are compared at
 * line starts only, and none past its own line, as the bytes sought hold no line break. Immutable;
 * safe for any thread.
 */
final class LineSearch {
    /** Two dashes and what a boundary may have. Source: RFC 2046, section 5.1.1. */
    private static final int WITHIN_LINES_LENGTH_MAX = 72;

    private final byte[] wanted;

    /** By the byte under the last of those wanted: how far the next candidate is at least. */
    private final int[] steps = new int[256];

    /**
     * A search.
     *
     * @param wanted at least one byte, no line break
     */
    LineSearch(byte[] wanted) {
        this.wanted = wanted.clone();
        Arrays.fill(steps, wanted.length);
        for (int i = 0; i < wanted.length - 1; i++) {
            steps[wanted[i] & 0xFF] = wanted.length - 1 - i;
        }
    }

    /**
     * Where they stand next.
     *
     * @param begin where the first line begins; nothing before it is looked at
     * @param from where to look from, not before {@code begin}
     * @return {@code to} if they do not up to there
     */
    int next(byte[] bytes, int begin, int from, int to) {
        int length = wanted.length;
        int at = from;
        while (at <= to - length) {
            boolean beginsLine = at == begin || bytes[at - 1] == '\n';
            if ((beginsLine || length <= WITHIN_LINES_LENGTH_MAX)
                    && Arrays.equals(bytes, at, at + length, wanted, 0, length)
                    && (beginsLine || followsObject(bytes, begin, at))) {
                return at;
            }
            at += steps[bytes[at + length - 1] & 0xFF];
        }
        return to;
    }

    /** Whether an object ends here, but for blanks. */
    private static boolean followsObject(byte[] bytes, int begin, int at) {
        int before = at - 1;
        while (before > begin && isBlank(bytes[before])) {
            before--;
        }
        return bytes[before] == '}';
    }

    static boolean isBlank(byte next) {
        return next == ' ' || next == '\t';
    }
}
