package io.parterre.key;

/**
 * The interval {@code [start, endExclusive)} of the key space; never empty.
 *
 * @param start first key inside
 * @param endExclusive first key after the interval; {@link Key#LAST} when it is open
 */
public record KeyRange(Key start, Key endExclusive) {
    /** The whole key space. */
    public static final KeyRange ALL = new KeyRange(Key.FIRST, Key.LAST);

    public KeyRange {
        if (start.compareTo(endExclusive) >= 0) {
            throw new IllegalArgumentException(
                    "start: " + start + " (expected: below end " + endExclusive + ")");
        }
    }

    /** Every key that starts with {@code prefix}. */
    public static KeyRange ofPrefix(Key prefix) {
        return new KeyRange(prefix, prefix.afterPrefix());
    }

    /** The interval with this key alone. */
    public static KeyRange ofKey(Key key) {
        return new KeyRange(key, key.next());
    }

    public boolean contains(Key key) {
        return start.compareTo(key) <= 0 && key.compareTo(endExclusive) < 0;
    }

    public boolean contains(KeyRange other) {
        return start.compareTo(other.start) <= 0 && other.endExclusive.compareTo(endExclusive) <= 0;
    }

    public boolean overlaps(KeyRange other) {
        return start.compareTo(other.endExclusive) < 0 && other.start.compareTo(endExclusive) < 0;
    }

    /** The smallest interval that contains both intervals. */
    public KeyRange hull(KeyRange other) {
        return new KeyRange(
                start.compareTo(other.start) <= 0 ? start : other.start,
                endExclusive.compareTo(other.endExclusive) >= 0
                        ? endExclusive
                        : other.endExclusive);
    }

    /**
     * The common part of both intervals.
     *
     * @throws IllegalArgumentException if they do not overlap
     */
    public KeyRange intersection(KeyRange other) {
        return new KeyRange(
                start.compareTo(other.start) >= 0 ? start : other.start,
                endExclusive.compareTo(other.endExclusive) <= 0
                        ? endExclusive
                        : other.endExclusive);
    }
}
