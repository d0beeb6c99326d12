package io.parterre.server.rows;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.server.load.RangeSizes;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreCursor;
import java.util.Arrays;
import java.util.Optional;

/** Sizes of rows of the store: approximate for much data, exact for little. Waits for the disk. */
public record StoreSizes(ServerStore store) implements RangeSizes {
    /** Size below which the store's own estimate is too coarse to halve. */
    private static final long EXACT_BYTES_MAX = 4L << 20;

    @Override
    public long bytes(KeyRange interval) {
        KeyRange data = FreeKeys.data(interval);
        long about = store.approximateBytes(data);
        return about > EXACT_BYTES_MAX ? about : exactly(data);
    }

    private long exactly(KeyRange data) {
        long bytes = 0;
        try (StoreCursor rows = store.scan(data)) {
            for (; rows.valid() && bytes <= EXACT_BYTES_MAX; rows.next()) {
                bytes += rows.keyLength() + rows.valueLength();
            }
        }
        return bytes;
    }

    @Override
    public Optional<Key> firstRow(Key from, Key endExclusive) {
        try (StoreCursor rows = store.scan(FreeKeys.data(new KeyRange(from, endExclusive)))) {
            return rows.valid()
                    ? Optional.of(Key.wrap(Arrays.copyOf(rows.key(), rows.keyLength())))
                    : Optional.empty();
        }
    }
}
