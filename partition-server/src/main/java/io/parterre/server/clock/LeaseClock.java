package io.parterre.server.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Tells whether leases may be relied on. A lease is measured by the monotonic clock, and that
 * stands still on a virtual machine that is suspended, paused for a snapshot, or moved: a leader
 * would take up a lease that has run out everywhere else. The wall clock does not stand still, so
 * when the two leap apart, no lease counts that was granted before. Safe for any thread; costs a
 * look at both clocks.
 */
public final class LeaseClock {
    /** Below what a lease is shorter than the time after which others elect a leader. */
    private static final long TOLERANCE_NANOS = Duration.ofMillis(50).toNanos();

    /** The wall clock may be slewed by some milliseconds a minute: that is no leap. */
    private static final long REFRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final InstantSource wallClock;
    private final LongSupplier nanoTicker;
    private final long leaseNanos;
    private final AtomicReference<Reading> last;

    /**
     * Begins with the clocks as they are.
     *
     * @param lease the longest that one can run
     */
    public LeaseClock(InstantSource wallClock, LongSupplier nanoTicker, Duration lease) {
        this.wallClock = wallClock;
        this.nanoTicker = nanoTicker;
        this.leaseNanos = lease.toNanos();
        this.last =
                new AtomicReference<>(
                        new Reading(nanoTicker.getAsLong(), wallNanos(), OptionalLong.empty()));
    }

    private long wallNanos() {
        return wallClock.millis() * 1_000_000;
    }

    /**
     * Both clocks at one moment.
     *
     * @param leapNanos when by the monotonic clock they were last found to have leapt apart; empty:
     *     never
     */
    public record Reading(long nanos, long wallNanos, OptionalLong leapNanos) {
        /** With what both say later. */
        Reading next(long laterNanos, long laterWallNanos) {
            long elapsedNanos = laterNanos - nanos;
            if (elapsedNanos < 0) {
                // Of a thread that looked before another one did.
                return this;
            }
            long apartNanos = laterWallNanos - wallNanos - elapsedNanos;
            if (Math.abs(apartNanos) > TOLERANCE_NANOS) {
                return new Reading(laterNanos, laterWallNanos, OptionalLong.of(laterNanos));
            }
            return elapsedNanos < REFRESH_NANOS
                    ? this
                    : new Reading(laterNanos, laterWallNanos, leapNanos);
        }

        /** Whether a lease that holds at this moment was granted after the last leap. */
        boolean isTrusted(long atNanos, long leaseNanos) {
            return leapNanos.isEmpty() || atNanos - leapNanos.getAsLong() > leaseNanos;
        }
    }

    /** Whether a lease that holds now by the monotonic clock holds. */
    public boolean isTrusted() {
        long nanos = nanoTicker.getAsLong();
        long wallNanos = wallNanos();
        Reading before = last.get();
        Reading now = before.next(nanos, wallNanos);
        if (now != before) {
            now = last.updateAndGet(known -> known.next(nanos, wallNanos));
        }
        return now.isTrusted(nanos, leaseNanos);
    }
}
