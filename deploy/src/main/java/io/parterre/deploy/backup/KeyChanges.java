package io.parterre.deploy.backup;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.server.record.RowChange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What changes, one after the other, make of the rows of an interval. Holds so many bytes at most:
 * where they come to more, the interval ends earlier, and what is beyond is forgotten, to be read
 * again for itself. Pure; for one thread.
 */
final class KeyChanges {
    private static final int ROW_BYTES = 100;

    private final Predicate<Key> wanted;
    private final long bytesMax;
    private final NavigableMap<Key, Optional<byte[]>> rows = new TreeMap<>();
    private final List<KeyRange> emptied = new ArrayList<>();
    private KeyRange keys;
    private long bytes;

    /**
     * No changes so far.
     *
     * @param wanted tells which of the interval's keys matter
     */
    KeyChanges(KeyRange keys, Predicate<Key> wanted, long bytesMax) {
        this.keys = keys;
        this.wanted = wanted;
        this.bytesMax = bytesMax;
    }

    /** The interval, as far as all changes of it are held. */
    KeyRange keys() {
        return keys;
    }

    /** Applies the next change, as far as it is of these keys as well. */
    void apply(RowChange change, KeyRange within) {
        if (change instanceof RowChange.Put put) {
            row(put.key(), Optional.of(put.value()), within);
        } else if (change instanceof RowChange.Delete delete) {
            row(delete.key(), Optional.empty(), within);
        } else if (change instanceof RowChange.DeleteRange range
                && range.keys().overlaps(keys)
                && range.keys().intersection(keys).overlaps(within)) {
            empty(range.keys().intersection(keys).intersection(within));
        }
    }

    private void row(Key key, Optional<byte[]> value, KeyRange within) {
        if (!keys.contains(key) || !within.contains(key) || !wanted.test(key)) {
            return;
        }
        bytes += size(key, value);
        Optional<byte[]> before = rows.put(key, value);
        if (before != null) {
            bytes -= size(key, before);
        }
        while (bytes > bytesMax && rows.size() > 1) {
            halve();
        }
    }

    private static long size(Key key, Optional<byte[]> value) {
        return (long) ROW_BYTES + key.length() + value.map(each -> each.length).orElse(0);
    }

    private void empty(KeyRange range) {
        NavigableMap<Key, Optional<byte[]>> gone =
                rows.subMap(range.start(), true, range.endExclusive(), false);
        gone.forEach((key, value) -> bytes -= size(key, value));
        gone.clear();
        emptied.add(range);
    }

    /** The keys from the middle on are left to another pass. */
    private void halve() {
        long half = bytes / 2;
        long sum = 0;
        Key cut = rows.lastKey();
        for (Map.Entry<Key, Optional<byte[]>> each : rows.entrySet()) {
            if (sum > half && !each.getKey().equals(rows.firstKey())) {
                cut = each.getKey();
                break;
            }
            sum += size(each.getKey(), each.getValue());
        }
        NavigableMap<Key, Optional<byte[]>> left = rows.tailMap(cut, true);
        left.forEach((key, value) -> bytes -= size(key, value));
        left.clear();
        keys = new KeyRange(keys.start(), cut);
    }

    /** Whether a row from before the changes is still there, as it was. */
    boolean leaves(Key key) {
        return !rows.containsKey(key) && emptied.stream().noneMatch(each -> each.contains(key));
    }

    /** Rows that the changes have put, in key order. */
    NavigableMap<Key, byte[]> put() {
        NavigableMap<Key, byte[]> put = new TreeMap<>();
        rows.forEach((key, value) -> value.ifPresent(bytesOf -> put.put(key, bytesOf)));
        return put;
    }
}
