package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fenced scopes of a range: scopes of tables that are being deleted, in which nothing is written.
 * Not thread-safe.
 */
final class Fences {
    private static final byte[] VALUE = {1};

    private final Set<Key> scopes = new HashSet<>();

    private static OwnKey key(Key scope) {
        return new OwnKey(OwnKey.Kind.FENCE, scope);
    }

    private static OwnRow row(Key scope) {
        return new OwnRow(key(scope), VALUE.clone());
    }

    void restore(OwnRow row) {
        scopes.add(row.key().suffix());
    }

    boolean contains(Key scope) {
        return scopes.contains(scope);
    }

    Set<Key> all() {
        return Set.copyOf(scopes);
    }

    /** Rows of the fences whose scopes overlap these bounds. */
    List<OwnRow> rows(KeyRange bounds) {
        return scopes.stream()
                .filter(scope -> KeyRange.ofPrefix(scope).overlaps(bounds))
                .sorted()
                .map(Fences::row)
                .toList();
    }

    /** Fences the scope and deletes its rows. Does nothing if the scope is fenced already. */
    void fence(Key scope, KeyRange bounds, Changes changes) {
        if (scopes.add(scope)) {
            changes.putOwn(row(scope));
            changes.deleteRange(KeyRange.ofPrefix(scope).intersection(bounds));
        }
    }

    void forget(Key scope, KeyRange bounds, Changes changes) {
        if (scopes.remove(scope)) {
            changes.deleteOwn(key(scope));
            // Rows may have come back on some replica when whole files were dropped. Without the
            // fence a comparison would report them as rows that differ.
            KeyRange keys = KeyRange.ofPrefix(scope);
            if (keys.overlaps(bounds)) {
                changes.deleteRangeAgain(keys.intersection(bounds));
            }
        }
    }

    /**
     * Adds the right range's fences. If only one of the two ranges has a fence, the scope's rows in
     * the other range are deleted, because the table is deleted.
     */
    void join(
            Fences right, RangeDescriptor leftRange, RangeDescriptor rightRange, Changes changes) {
        Set<Key> both = new TreeSet<>(scopes);
        both.addAll(right.scopes);
        for (Key scope : both) {
            RangeDescriptor unfenced = scopes.contains(scope) ? rightRange : leftRange;
            boolean known = scopes.contains(scope) && right.scopes.contains(scope);
            KeyRange keys = KeyRange.ofPrefix(scope);
            if (!known && keys.overlaps(unfenced.bounds())) {
                changes.deleteRange(keys.intersection(unfenced.bounds()));
            }
            if (scopes.add(scope)) {
                changes.putOwn(row(scope));
            }
        }
    }
}
