package io.parterre.frontend.table;

import java.util.Arrays;

/**
 * Finds given bytes at the beginning of a line or right after the end of a JSON object, by
 * Horspool's rule, which skips most bytes in between unread. Takes time linear in the bytes
 * searched, whatever they are: within lines only short byte sequences are searched for. Long ones
 * are compared only at line starts, and none beyond its own line, because they contain no line
 * break. Immutable.
 */
final class LineSearch {
    /** Two dashes and the longest legal boundary. Source: RFC 2046, section 5.1.1. */
    private static final int WITHIN_LINES_LENGTH_MAX = 72;

    private final byte[] wanted;

    /** Least distance to the next candidate, by the byte under the last wanted one. */
    private final int[] steps = new int[256];

    /**
     * Creates a search.
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
     * Returns the next position of the wanted bytes.
     *
     * @param begin where the first line begins; nothing before it is read
     * @param from where the search starts, not before {@code begin}
     * @return {@code to} if there is no position before it
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

    /** Returns whether a JSON object ends here, followed only by whitespace. */
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
