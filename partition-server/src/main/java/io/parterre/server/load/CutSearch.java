package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;

/**
 * Finds a cut that leaves about half of a range's bytes on each side: by halving the interval of
 * keys in which it lies, so it looks at a few rows however many there are. Stateless; safe for any
 * thread.
 */
public final class CutSearch {
    /** Enough for rows that first differ some sixty bytes behind what all of them share. */
    private static final int LOOKS_MAX = 512;

    private CutSearch() {}

    /**
     * The cut.
     *
     * @return where a partition begins, with rows on both sides; empty: there is but one partition,
     *     or none
     */
    public static Optional<Key> middle(KeyRange bounds, RangeSizes sizes) {
        Optional<Key> first = sizes.firstRow(bounds.start(), bounds.endExclusive());
        if (first.isEmpty()) {
            return Optional.empty();
        }
        long half = sizes.bytes(bounds) / 2;
        Key before = first.get();
        Key after = bounds.endExclusive();
        for (int i = 0; i < LOOKS_MAX && before.next().compareTo(after) < 0; i++) {
            Key probe = between(before, after);
            if (probe.compareTo(after) >= 0) {
                // They differ in nothing but zeros at the end.
                break;
            }
            Optional<Key> row = sizes.firstRow(probe, after);
            if (row.isEmpty()) {
                after = probe;
            } else if (bytesBelow(bounds, row.get(), sizes) <= half) {
                before = row.get();
            } else {
                // No row lies between the two, so the next look is before the probe.
                after = probe;
            }
        }
        return nearest(bounds, first.get(), before, half, sizes);
    }

    private static long bytesBelow(KeyRange bounds, Key key, RangeSizes sizes) {
        return bounds.start().compareTo(key) < 0
                ? sizes.bytes(new KeyRange(bounds.start(), key))
                : 0;
    }

    /** Where the middle row's partition begins or where it ends, whichever halves better. */
    private static Optional<Key> nearest(
            KeyRange bounds, Key first, Key middle, long half, RangeSizes sizes) {
        Key partition = KeyCodec.partitionPrefix(middle);
        Optional<Key> begin =
                partition.compareTo(first) > 0 ? Optional.of(partition) : Optional.empty();
        Key behind = partition.afterPrefix();
        Optional<Key> end =
                behind.compareTo(bounds.endExclusive()) < 0
                        ? sizes.firstRow(behind, bounds.endExclusive())
                                .map(KeyCodec::partitionPrefix)
                        : Optional.empty();
        if (begin.isEmpty() || end.isEmpty()) {
            return begin.or(() -> end);
        }
        long beginOff = half - bytesBelow(bounds, begin.get(), sizes);
        long endOff = bytesBelow(bounds, end.get(), sizes) - half;
        return beginOff <= endOff ? begin : end;
    }

    /** Half-way between two keys, as numbers. */
    static Key between(Key low, Key high) {
        int length = Math.max(low.length(), high.length()) + 1;
        BigInteger middle = number(low, length).add(number(high, length)).shiftRight(1);
        byte[] bytes = middle.toByteArray();
        byte[] padded = new byte[length];
        int from = Math.max(0, bytes.length - length);
        System.arraycopy(bytes, from, padded, length - (bytes.length - from), bytes.length - from);
        return Key.wrap(padded);
    }

    private static BigInteger number(Key key, int length) {
        return new BigInteger(1, Arrays.copyOf(key.unsafeBytes(), length));
    }
}
