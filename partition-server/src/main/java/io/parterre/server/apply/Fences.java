package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Scopes of a range whose tables are being deleted: nothing is written there. Not thread-safe. */
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

    /** Rows of those that are within these bounds in part at least. */
    List<OwnRow> rows(KeyRange bounds) {
        return scopes.stream()
                .filter(scope -> KeyRange.ofPrefix(scope).overlaps(bounds))
                .sorted()
                .map(Fences::row)
                .toList();
    }

    /** Deletes the rows of the scope, unless it is fenced. */
    void fence(Key scope, KeyRange bounds, Changes changes) {
        if (scopes.add(scope)) {
            changes.putOwn(row(scope));
            changes.deleteRange(KeyRange.ofPrefix(scope).intersection(bounds));
        }
    }

    void forget(Key scope, KeyRange bounds, Changes changes) {
        if (scopes.remove(scope)) {
            changes.deleteOwn(key(scope));
            // Rows that came back on some replica as files were dropped: without the fence they
            // would count as rows that differ.
            KeyRange keys = KeyRange.ofPrefix(scope);
            if (keys.overlaps(bounds)) {
                changes.deleteRangeAgain(keys.intersection(bounds));
            }
        }
    }

    /** A table that one of them was told is deleted has no rows in the other any more. */
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
