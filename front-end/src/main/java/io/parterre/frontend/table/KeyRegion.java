package io.parterre.frontend.table;

import io.parterre.frontend.store.EntityInterval;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A set of key pairs: the axis of PartitionKeys split into ascending, disjoint slices, each with
 * the RowKeys that belong to all its partitions. Any boolean combination of comparisons of keys has
 * exactly this form. Immutable.
 *
 * @param slices empty for the empty set
 */
record KeyRegion(List<Slice> slices) {
    static final KeyRegion NONE = new KeyRegion(List.of());
    static final KeyRegion ALL = partitions(TextSet.ALL);

    /** Partitions that have the same set of RowKeys. */
    record Slice(TextSpan partitions, TextSet rows) {}

    KeyRegion {
        slices = List.copyOf(slices);
    }

    /** Returns all pairs with one of these PartitionKeys. */
    static KeyRegion partitions(TextSet partitions) {
        return new KeyRegion(
                partitions.spans().stream().map(span -> new Slice(span, TextSet.ALL)).toList());
    }

    /** Returns all pairs with one of these RowKeys. */
    static KeyRegion rows(TextSet rows) {
        return rows.isEmpty() ? NONE : new KeyRegion(List.of(new Slice(TextSpan.ALL, rows)));
    }

    /** Returns the number of spans in the region, which is its cost. */
    int size() {
        int size = 0;
        for (Slice slice : slices) {
            size += slice.rows().spans().size();
        }
        return size;
    }

    KeyRegion union(KeyRegion other) {
        return combine(other, true);
    }

    KeyRegion intersect(KeyRegion other) {
        return combine(other, false);
    }

    private KeyRegion combine(KeyRegion other, boolean union) {
        List<Slice> result = new ArrayList<>();
        Sweep left = new Sweep(slices);
        Sweep right = new Sweep(other.slices);
        for (Optional<String> at = Optional.of(""); at.isPresent(); ) {
            TextSet leftRows = left.rowsAt(at.get());
            TextSet rightRows = right.rowsAt(at.get());
            Optional<String> next = EntityInterval.lowerEnd(left.boundAfter(), right.boundAfter());
            TextSet rows = union ? leftRows.union(rightRows) : leftRows.intersect(rightRows);
            append(new Slice(new TextSpan(at.get(), next), rows), result);
            at = next;
        }
        return new KeyRegion(result);
    }

    /**
     * Adds a slice above all others, or extends the last one if the two touch and have the same
     * RowKeys.
     */
    private static void append(Slice slice, List<Slice> result) {
        if (slice.rows().isEmpty()) {
            return;
        }
        if (!result.isEmpty()) {
            Slice last = result.get(result.size() - 1);
            boolean joined =
                    last.partitions().toExclusive().equals(Optional.of(slice.partitions().from()))
                            && last.rows().equals(slice.rows());
            if (joined) {
                TextSpan both =
                        new TextSpan(last.partitions().from(), slice.partitions().toExclusive());
                result.set(result.size() - 1, new Slice(both, slice.rows()));
                return;
            }
        }
        result.add(slice);
    }

    /**
     * Returns a region that contains this one and has at most {@code sizeMax} spans: neighbours are
     * merged with everything between them.
     */
    KeyRegion coarsened(int sizeMax) {
        if (size() <= sizeMax) {
            return this;
        }
        int groupLength = (slices.size() + sizeMax - 1) / sizeMax;
        List<Slice> result = new ArrayList<>();
        for (int i = 0; i < slices.size(); i += groupLength) {
            Slice first = slices.get(i);
            Slice last = slices.get(Math.min(i + groupLength, slices.size()) - 1);
            TextSpan hull =
                    new TextSpan(first.partitions().from(), last.partitions().toExclusive());
            result.add(new Slice(hull, TextSet.ALL));
        }
        return new KeyRegion(result);
    }

    /** Iterates over the slices of one region in ascending order. */
    private static final class Sweep {
        private final List<Slice> slices;
        private int index;
        private boolean inside;

        Sweep(List<Slice> slices) {
            this.slices = slices;
        }

        TextSet rowsAt(String partition) {
            if (inside && end().equals(Optional.of(partition))) {
                inside = false;
                index++;
            }
            if (!inside && index < slices.size() && start().equals(partition)) {
                inside = true;
            }
            return inside ? slices.get(index).rows() : TextSet.NONE;
        }

        Optional<String> boundAfter() {
            if (index == slices.size()) {
                return Optional.empty();
            }
            return inside ? end() : Optional.of(start());
        }

        private String start() {
            return slices.get(index).partitions().from();
        }

        private Optional<String> end() {
            return slices.get(index).partitions().toExclusive();
        }
    }
}
