package io.parterre.frontend.store;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** Greatest staleness of all reads of one request. Thread-safe. */
public final class StalenessNote {
    private static final long NOTHING_READ = -1;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final AtomicLong worstMillis = new AtomicLong(NOTHING_READ);

    /**
     * Adds a read.
     *
     * @param millis the read has seen every write acknowledged at least this long before; empty if
     *     unknown
     */
    public void read(OptionalLong millis) {
        worstMillis.accumulateAndGet(millis.orElse(UNKNOWN), Math::max);
    }

    /** Returns whether anything was read. */
    public boolean isUsed() {
        return worstMillis.get() != NOTHING_READ;
    }

    /**
     * Returns the greatest staleness; empty if nothing was read, or if the staleness of a read is
     * unknown.
     */
    public Optional<Duration> worst() {
        long millis = worstMillis.get();
        return millis == NOTHING_READ || millis == UNKNOWN
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(millis));
    }
}
