package io.parterre.server.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Work that has begun and not ended, and since when. Safe for any thread. */
final class Unfinished {
    private final LongSupplier nanoTicker;
    private final Map<Object, Long> begun = new ConcurrentHashMap<>();

    Unfinished(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
    }

    /** Names the work for {@link #end}. */
    Object begin() {
        Object work = new Object();
        begun.put(work, nanoTicker.getAsLong());
        return work;
    }

    void end(Object work) {
        begun.remove(work);
    }

    /** Age of the oldest. */
    Duration age() {
        long nowNanos = nanoTicker.getAsLong();
        return Duration.ofNanos(
                begun.values().stream().mapToLong(since -> nowNanos - since).max().orElse(0));
    }
}
