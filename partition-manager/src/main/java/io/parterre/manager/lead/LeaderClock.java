package io.parterre.manager.lead;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/**
 * Time of one lead: that of the clock at its beginning, and from there on by the ticker. Who is
 * alive is judged by it, so a clock that is set in between declares nobody dead, and hides nobody's
 * death. What it said under an earlier lead is not to be compared with. Safe for any thread.
 */
public final class LeaderClock implements InstantSource {
    private final InstantSource clock;
    private final LongSupplier nanoTicker;
    private volatile Begin begin;

    private record Begin(Instant at, long nanos) {}

    /**
     * A clock whose first lead begins now.
     *
     * @param nanoTicker time in nanoseconds from any origin, which nobody can set
     */
    public LeaderClock(InstantSource clock, LongSupplier nanoTicker) {
        this.clock = clock;
        this.nanoTicker = nanoTicker;
        restart();
    }

    /** How far the clock, which may be set, is ahead of this one. */
    Duration ahead() {
        return Duration.between(instant(), clock.instant());
    }

    /** Another lead begins. */
    void restart() {
        begin = new Begin(clock.instant(), nanoTicker.getAsLong());
    }

    @Override
    public Instant instant() {
        Begin known = begin;
        return known.at().plusNanos(nanoTicker.getAsLong() - known.nanos());
    }
}
