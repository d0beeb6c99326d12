package io.parterre.frontend.route;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Descriptors without overlaps, sorted by their start, in arrays of a few hundred: a lookup is two
 * binary searches, a change copies one array and the list of arrays. Immutable.
 */
final class RangeChunks {
    private static final int CHUNK_MAX = 512;
    static final RangeChunks EMPTY = new RangeChunks(new RangeDescriptor[0][], 0);

    /** No array is empty. */
    private final RangeDescriptor[][] chunks;

    private final int size;

    private RangeChunks(RangeDescriptor[][] chunks, int size) {
        this.chunks = chunks;
        this.size = size;
    }

    /** Returns the chunks of descriptors that are sorted and do not overlap. */
    static RangeChunks ofSorted(List<RangeDescriptor> sorted) {
        List<RangeDescriptor[]> chunks = new ArrayList<>();
        addChunks(chunks, sorted.toArray(RangeDescriptor[]::new));
        return new RangeChunks(chunks.toArray(RangeDescriptor[][]::new), sorted.size());
    }

    int size() {
        return size;
    }

    Optional<RangeDescriptor> find(Key key) {
        int chunk = lastAtOrBelow(key);
        if (chunk < 0) {
            return Optional.empty();
        }
        RangeDescriptor[] in = chunks[chunk];
        RangeDescriptor candidate = in[lastAtOrBelow(in, key)];
        return key.compareTo(candidate.bounds().endExclusive()) < 0
                ? Optional.of(candidate)
                : Optional.empty();
    }

    /** Returns every descriptor that shares a key with {@code bounds}, in order. */
    List<RangeDescriptor> overlapping(KeyRange bounds) {
        List<RangeDescriptor> found = new ArrayList<>();
        int chunk = Math.max(0, lastAtOrBelow(bounds.start()));
        for (; chunk < chunks.length; chunk++) {
            RangeDescriptor[] in = chunks[chunk];
            for (int i = Math.max(0, lastAtOrBelow(in, bounds.start())); i < in.length; i++) {
                KeyRange at = in[i].bounds();
                if (at.start().compareTo(bounds.endExclusive()) >= 0) {
                    return found;
                }
                if (at.overlaps(bounds)) {
                    found.add(in[i]);
                }
            }
        }
        return found;
    }

    /** Returns the chunks with one more descriptor, which overlaps none of them. */
    RangeChunks insert(RangeDescriptor descriptor) {
        if (chunks.length == 0) {
            return ofSorted(List.of(descriptor));
        }
        Key start = descriptor.bounds().start();
        int chunk = Math.max(0, lastAtOrBelow(start));
        RangeDescriptor[] in = chunks[chunk];
        int at = lastAtOrBelow(in, start) + 1;
        RangeDescriptor[] more = new RangeDescriptor[in.length + 1];
        System.arraycopy(in, 0, more, 0, at);
        more[at] = descriptor;
        System.arraycopy(in, at, more, at + 1, in.length - at);
        return replace(chunk, more, size + 1);
    }

    /** Returns the chunks without a descriptor that they contain. */
    RangeChunks remove(RangeDescriptor descriptor) {
        Key start = descriptor.bounds().start();
        int chunk = lastAtOrBelow(start);
        RangeDescriptor[] in = chunks[chunk];
        int at = lastAtOrBelow(in, start);
        RangeDescriptor[] fewer = new RangeDescriptor[in.length - 1];
        System.arraycopy(in, 0, fewer, 0, at);
        System.arraycopy(in, at + 1, fewer, at, fewer.length - at);
        return replace(chunk, fewer, size - 1);
    }

    private RangeChunks replace(int chunk, RangeDescriptor[] by, int newSize) {
        List<RangeDescriptor[]> copy = new ArrayList<>(chunks.length + 1);
        copy.addAll(Arrays.asList(chunks).subList(0, chunk));
        addChunks(copy, by);
        copy.addAll(Arrays.asList(chunks).subList(chunk + 1, chunks.length));
        return new RangeChunks(copy.toArray(RangeDescriptor[][]::new), newSize);
    }

    private static void addChunks(List<RangeDescriptor[]> to, RangeDescriptor[] descriptors) {
        if (descriptors.length <= CHUNK_MAX) {
            if (descriptors.length > 0) {
                to.add(descriptors);
            }
            return;
        }
        // Half full, so that the next inserts find room.
        for (int from = 0; from < descriptors.length; from += CHUNK_MAX / 2) {
            int until = Math.min(from + CHUNK_MAX / 2, descriptors.length);
            to.add(Arrays.copyOfRange(descriptors, from, until));
        }
    }

    private int lastAtOrBelow(Key key) {
        int low = 0;
        int high = chunks.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (chunks[middle][0].bounds().start().compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }

    private static int lastAtOrBelow(RangeDescriptor[] in, Key key) {
        int low = 0;
        int high = in.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (in[middle].bounds().start().compareTo(key) <= 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high;
    }
}
