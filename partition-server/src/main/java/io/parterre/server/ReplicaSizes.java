package io.parterre.server;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.store.ServerStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Sizes of replicas, cached for some seconds because they change slowly. Not thread-safe. */
final class ReplicaSizes {
    private static final Duration KEPT = Duration.ofSeconds(10);

    private record Size(long bytes, long nanos) {}

    private final ServerStore store;
    private final LongSupplier nanoTicker;
    private final Map<RangeId, Size> known = new HashMap<>();

    ReplicaSizes(ServerStore store, LongSupplier nanoTicker) {
        this.store = store;
        this.nanoTicker = nanoTicker;
    }

    /** Returns the approximate size of the range's rows on disk, in bytes. */
    long bytes(RangeDescriptor range) {
        long now = nanoTicker.getAsLong();
        Size size = known.get(range.rangeId());
        if (size == null || now - size.nanos() >= KEPT.toNanos()) {
            known.values().removeIf(each -> now - each.nanos() >= 10 * KEPT.toNanos());
            size = new Size(store.sizeBytes(range.bounds()), now);
            known.put(range.rangeId(), size);
        }
        return size.bytes();
    }
}
