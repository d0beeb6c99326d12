package io.parterre.server.store;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/** Unfinished work and its start times. Safe for any thread. */
final class Unfinished {
    private final LongSupplier nanoTicker;
    private final Map<Object, Long> begun = new ConcurrentHashMap<>();

    Unfinished(LongSupplier nanoTicker) {
        this.nanoTicker = nanoTicker;
    }

    /** Returns a handle of the work for {@link #end}. */
    Object begin() {
        Object work = new Object();
        begun.put(work, nanoTicker.getAsLong());
        return work;
    }

    void end(Object work) {
        begun.remove(work);
    }

    /** Returns the age of the oldest work; zero: there is none. */
    Duration age() {
        long nowNanos = nanoTicker.getAsLong();
        return Duration.ofNanos(
                begun.values().stream().mapToLong(since -> nowNanos - since).max().orElse(0));
    }
}
