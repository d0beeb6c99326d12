package io.parterre.manager.lead;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Time within one leadership: the wall clock's time at its beginning plus the monotonic time since.
 * Liveness is judged by this clock, so a wall clock that is set in between declares no node dead
 * and hides no dead node. Times of different leaderships must not be compared. Thread-safe.
 */
public final class LeaderClock implements InstantSource {
    private final InstantSource clock;
    private final LongSupplier nanoTicker;
    private volatile Begin begin;

    private record Begin(Instant at, long nanos) {}

    /**
     * Creates a clock whose first leadership begins now.
     *
     * @param nanoTicker monotonic time in nanoseconds from any origin
     */
    public LeaderClock(InstantSource clock, LongSupplier nanoTicker) {
        this.clock = clock;
        this.nanoTicker = nanoTicker;
        restart();
    }

    /** Returns how far the wall clock is ahead of this clock. */
    Duration ahead() {
        return Duration.between(instant(), clock.instant());
    }

    /** Begins another leadership. */
    void restart() {
        begin = new Begin(clock.instant(), nanoTicker.getAsLong());
    }

    @Override
    public Instant instant() {
        Begin known = begin;
        return known.at().plusNanos(nanoTicker.getAsLong() - known.nanos());
    }
}
