package io.parterre.server.rows;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.server.store.LocalKey;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Computes which keys of the store's data a replica may empty: the keys of its range that no other
 * replica of the node has. Stateless; safe for any thread.
 */
public final class FreeKeys {
    private FreeKeys() {}

    /** Returns the parts of {@code range}, in key order, that none of the others overlaps. */
    public static List<KeyRange> of(KeyRange range, List<KeyRange> others) {
        List<KeyRange> sorted = new ArrayList<>(others);
        sorted.sort(Comparator.comparing(KeyRange::start));
        List<KeyRange> free = new ArrayList<>();
        Key from = data(range).start();
        for (KeyRange other : sorted) {
            if (!other.overlaps(range)) {
                continue;
            }
            if (from.compareTo(other.start()) < 0) {
                free.add(new KeyRange(from, other.start()));
            }
            from = from.compareTo(other.endExclusive()) >= 0 ? from : other.endExclusive();
        }
        if (from.compareTo(range.endExclusive()) < 0) {
            free.add(new KeyRange(from, range.endExclusive()));
        }
        return free;
    }

    /** Returns a range without the keys before all data, where each replica's own rows are. */
    public static KeyRange data(KeyRange range) {
        return range.start().compareTo(LocalKey.FIRST_DATA) >= 0
                ? range
                : new KeyRange(LocalKey.FIRST_DATA, range.endExclusive());
    }
}
