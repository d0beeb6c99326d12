package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.key.KeyCodec;
import io.parterre.key.KeyRange;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * Finds split points that leave about equally many bytes of a range in each part. Halves the
 * interval of keys in which a split point lies, so it reads a few rows however many there are.
 * Stateless; safe for any thread.
 */
public final class SplitPointSearch {
    /** Enough for rows that first differ some sixty bytes after their common prefix. */
    private static final int LOOKS_MAX = 512;

    private SplitPointSearch() {}

    /**
     * Returns split points for several parts.
     *
     * @param parts number of parts; at least two
     * @return starts of partitions, ascending, with rows between any two; fewer than requested if
     *     large partitions are in the way or there are too few
     */
    public static List<Key> splitPoints(KeyRange bounds, int parts, RangeSizes sizes) {
        Optional<Key> first = sizes.firstRow(bounds.start(), bounds.endExclusive());
        if (first.isEmpty()) {
            return List.of();
        }
        long bytes = sizes.bytes(bounds);
        TreeSet<Key> splitPoints = new TreeSet<>();
        for (int part = 1; part < parts; part++) {
            // In this order, because the product of bytes and part would overflow.
            long below = bytes / parts * part + bytes % parts * part / parts;
            at(bounds, first.get(), below, sizes).ifPresent(splitPoints::add);
        }
        return List.copyOf(splitPoints);
    }

    /** Returns the split point with about so many bytes before it. */
    private static Optional<Key> at(KeyRange bounds, Key first, long below, RangeSizes sizes) {
        Key before = first;
        Key after = bounds.endExclusive();
        for (int i = 0; i < LOOKS_MAX && before.next().compareTo(after) < 0; i++) {
            Key probe = between(before, after);
            if (probe.compareTo(after) >= 0) {
                // The two keys differ only in zeros at the end.
                break;
            }
            Optional<Key> row = sizes.firstRow(probe, after);
            if (row.isEmpty()) {
                after = probe;
            } else if (bytesBelow(bounds, row.get(), sizes) <= below) {
                before = row.get();
            } else {
                // No row lies between the two, so the next probe is before this one.
                after = probe;
            }
        }
        return nearest(bounds, first, before, below, sizes);
    }

    private static long bytesBelow(KeyRange bounds, Key key, RangeSizes sizes) {
        return bounds.start().compareTo(key) < 0
                ? sizes.bytes(new KeyRange(bounds.start(), key))
                : 0;
    }

    /** Returns the start or the end of the row's partition, whichever divides better. */
    private static Optional<Key> nearest(
            KeyRange bounds, Key first, Key row, long below, RangeSizes sizes) {
        Key partition = KeyCodec.partitionPrefix(row);
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
        long beginOff = below - bytesBelow(bounds, begin.get(), sizes);
        long endOff = bytesBelow(bounds, end.get(), sizes) - below;
        return beginOff <= endOff ? begin : end;
    }

    /** Returns the key half-way between two keys, as numbers. */
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
