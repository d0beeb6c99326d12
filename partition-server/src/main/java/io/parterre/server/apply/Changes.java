package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Effects of a slice of a log entry so far, laid over the stored rows, so that later commands see
 * the effects of earlier ones. Of a row that several commands change, only the last version is
 * kept. Not thread-safe; one instance per slice.
 */
final class Changes implements StateView {
    private final StateView stored;
    private final SliceLimits limits;
    private final SliceRoom room;
    // In order of the first change, so that mutations come in the same order on every replica.
    private final Map<Key, Mutation> rows = new LinkedHashMap<>();
    private final List<Mutation.DeleteRange> emptied = new ArrayList<>(0);
    private final List<Mutation> others = new ArrayList<>();
    private long heldBytes;
    private long laterBytes;

    Changes(StateView stored, SliceLimits limits, SliceRoom room) {
        this.stored = stored;
        this.limits = limits;
        this.room = room;
    }

    @Override
    public Optional<byte[]> get(Key key) {
        Mutation changed = rows.get(key);
        if (changed instanceof Mutation.Put put) {
            return Optional.of(put.value());
        } else if (changed instanceof Mutation.PutLater later) {
            return Optional.of(later.making().get());
        }
        return changed != null || isEmptied(key) ? Optional.empty() : stored.get(key);
    }

    /**
     * Returns a supplier of the row's present value, which a later put does not change. It holds no
     * value that is in the store.
     */
    Supplier<Optional<byte[]>> source(Key key) {
        if (!rows.containsKey(key) && !isEmptied(key)) {
            return () -> stored.get(key);
        }
        Optional<byte[]> now = get(key);
        return () -> now;
    }

    private boolean isEmptied(Key key) {
        for (Mutation.DeleteRange each : emptied) {
            if (each.range().contains(key)) {
                return true;
            }
        }
        return false;
    }

    SliceLimits limits() {
        return limits;
    }

    /** Bytes of keys and values of rows on the heap. */
    long heldBytes() {
        return heldBytes;
    }

    /** Bytes of keys and values of all rows, on the heap or made later. */
    long sizeBytes() {
        return heldBytes + laterBytes;
    }

    /**
     * Makes sure that there is room for this many bytes on the heap.
     *
     * @return whether room was taken by this call, which may have waited: the caller should drop
     *     what it read before and read it again
     */
    boolean reserve(long bytes) {
        return !limits.isSmall(bytes) && room.takeSlice();
    }

    /** Makes sure that there is room for the rows that are made while they are written. */
    void reserveOversize() {
        if (laterBytes > 0) {
            room.takeOversize();
        }
    }

    void put(Key key, byte[] value) {
        put(new Mutation.Put(key, value));
    }

    void put(Mutation.Put put) {
        row(put.key(), put);
    }

    void put(Mutation.PutLater put) {
        row(put.key(), put);
    }

    void delete(Key key) {
        row(key, new Mutation.Delete(key));
    }

    private void row(Key key, Mutation changed) {
        count(changed, 1);
        Mutation before = rows.put(key, changed);
        if (before != null) {
            count(before, -1);
        }
    }

    private void count(Mutation row, int sign) {
        if (row instanceof Mutation.Put put) {
            heldBytes += sign * put.sizeBytes();
        } else if (row instanceof Mutation.PutLater later) {
            laterBytes += sign * later.sizeBytes();
        } else if (row instanceof Mutation.Delete delete) {
            heldBytes += sign * (long) delete.key().length();
        }
    }

    /**
     * Removes all rows of the interval. Rows put there before are gone; rows put there later stay.
     */
    void deleteRange(KeyRange range) {
        deleteRange(new Mutation.DeleteRange(range));
    }

    /** Removes rows of an interval that was emptied before and must stay empty on every replica. */
    void deleteRangeAgain(KeyRange range) {
        deleteRange(new Mutation.DeleteRange(range, false));
    }

    private void deleteRange(Mutation.DeleteRange mutation) {
        KeyRange range = mutation.range();
        for (Iterator<Map.Entry<Key, Mutation>> at = rows.entrySet().iterator(); at.hasNext(); ) {
            Map.Entry<Key, Mutation> row = at.next();
            if (range.contains(row.getKey())) {
                count(row.getValue(), -1);
                at.remove();
            }
        }
        emptied.add(mutation);
    }

    void putOwn(OwnKey key, byte[] value) {
        others.add(new Mutation.PutOwn(key, value));
    }

    void putOwn(OwnRow row) {
        putOwn(row.key(), row.value());
    }

    void deleteOwn(OwnKey key) {
        others.add(new Mutation.DeleteOwn(key));
    }

    void putRange(HostedRange range) {
        others.add(new Mutation.PutRange(range));
    }

    void putChild(HostedRange range, List<OwnRow> own) {
        others.add(new Mutation.PutChild(range, own));
    }

    void absorbNeighbour(HostedRange range) {
        others.add(new Mutation.AbsorbNeighbour(range));
    }

    /**
     * Returns all mutations. Intervals are emptied first, because the remaining rows were put after
     * that. The range changes last, because a node without a child's replica empties the child's
     * interval.
     */
    List<Mutation> mutations() {
        List<Mutation> all = new ArrayList<>(emptied.size() + rows.size() + others.size());
        all.addAll(emptied);
        all.addAll(rows.values());
        all.addAll(others);
        return all;
    }
}
