package io.parterre.frontend.store;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;

/** How old what one request has read may be: the worst of all its reads. Safe for any thread. */
public final class StalenessNote {
    private static final long NOTHING_READ = -1;
    private static final long UNKNOWN = Long.MAX_VALUE;

    private final AtomicLong worstMillis = new AtomicLong(NOTHING_READ);

    /**
     * One more was read.
     *
     * @param millis every write acknowledged this long before was seen; empty: nobody can tell
     */
    public void read(OptionalLong millis) {
        worstMillis.accumulateAndGet(millis.orElse(UNKNOWN), Math::max);
    }

    /** Whether anything was read. */
    public boolean isUsed() {
        return worstMillis.get() != NOTHING_READ;
    }

    /** The worst; empty if nothing was read, or something of unknown age. */
    public Optional<Duration> worst() {
        long millis = worstMillis.get();
        return millis == NOTHING_READ || millis == UNKNOWN
                ? Optional.empty()
                : Optional.of(Duration.ofMillis(millis));
    }
}
