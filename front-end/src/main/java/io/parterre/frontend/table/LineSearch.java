package io.parterre.frontend.table;

import java.util.Arrays;

/**
 * Finds lines that begin with given bytes, by Horspool's rule: most of what lies between them is
 * stepped over and never looked at. Takes time linear in the bytes searched, whatever they are:
 * candidates are compared at line starts only, and none past its own line, as the bytes sought hold
 * no line break. Immutable; safe for any thread.
 */
final class LineSearch {
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
     * Where the next such line begins.
     *
     * @param from where a line begins
     * @return {@code to} if there is none up to there
     */
    int next(byte[] bytes, int from, int to) {
        int length = wanted.length;
        int at = from;
        while (at <= to - length) {
            boolean startsLine = at == from || bytes[at - 1] == '\n';
            if (startsLine && Arrays.equals(bytes, at, at + length, wanted, 0, length)) {
                return at;
            }
            at += steps[bytes[at + length - 1] & 0xFF];
        }
        return to;
    }
}
