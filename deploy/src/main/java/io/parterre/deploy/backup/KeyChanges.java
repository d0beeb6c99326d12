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
 * The result of successive changes to the rows of an interval. Holds a bounded number of bytes: if
 * the changes exceed it, the interval is shortened, and changes beyond it are dropped, to be read
 * again for the rest. Pure; confined to one thread.
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
     * Creates an interval without changes.
     *
     * @param wanted selects the keys of the interval that matter
     */
    KeyChanges(KeyRange keys, Predicate<Key> wanted, long bytesMax) {
        this.keys = keys;
        this.wanted = wanted;
        this.bytesMax = bytesMax;
    }

    /** Returns the interval of which all changes are held. */
    KeyRange keys() {
        return keys;
    }

    /** Applies the next change, as far as it concerns keys in {@code within} as well. */
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

    /** Shortens the interval; the keys above the middle are left to another pass. */
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

    /** Returns whether a row from before the changes still exists unchanged. */
    boolean leaves(Key key) {
        return !rows.containsKey(key) && emptied.stream().noneMatch(each -> each.contains(key));
    }

    /** Returns the rows that the changes have written, in key order. */
    NavigableMap<Key, byte[]> put() {
        NavigableMap<Key, byte[]> put = new TreeMap<>();
        rows.forEach((key, value) -> value.ifPresent(bytesOf -> put.put(key, bytesOf)));
        return put;
    }
}
