package io.parterre.server.clock;

import java.time.Duration;
import java.time.InstantSource;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

/**
 * Decides whether leases may be relied on. A lease is measured by the monotonic clock, which stands
 * still while a virtual machine is suspended, paused for a snapshot, or moved. The leader would
 * continue a lease that has run out everywhere else. The wall clock does not stand still, so when
 * the two leap apart, no lease granted before counts. Safe for any thread; each call reads both
 * clocks.
 */
public final class LeaseClock {
    /** A thread that loses the processor between reading the two clocks would see them apart. */
    private static final long LOOK_NANOS_MAX = Duration.ofMillis(1).toNanos();

    private static final int LOOKS_MAX = 4;

    /**
     * Interval after which both clocks are compared from a new start: the wall clock may be slewed
     * by some milliseconds a minute, which is no leap.
     */
    private static final long REFRESH_NANOS = Duration.ofSeconds(1).toNanos();

    private final InstantSource wallClock;
    private final LongSupplier nanoTicker;
    private final long leaseNanos;
    private final long toleranceNanos;
    private final AtomicReference<Reading> last;

    /**
     * Begins with the present state of the clocks.
     *
     * @param lease longest lease
     * @param tolerance leap that may go unnoticed. It is less than half of the margin between a
     *     lease and the time for which followers elect nobody else, because two such leaps may
     *     follow each other
     */
    public LeaseClock(
            InstantSource wallClock, LongSupplier nanoTicker, Duration lease, Duration tolerance) {
        this.wallClock = wallClock;
        this.nanoTicker = nanoTicker;
        this.leaseNanos = lease.toNanos();
        this.toleranceNanos = tolerance.toNanos();
        this.last = new AtomicReference<>(look());
    }

    /** Length of the longest lease. */
    public long leaseNanos() {
        return leaseNanos;
    }

    private Reading look() {
        long nanos = nanoTicker.getAsLong();
        long wallNanos = wallClock.millis() * 1_000_000;
        for (int looks = 1; looks < LOOKS_MAX; looks++) {
            long afterNanos = nanoTicker.getAsLong();
            if (afterNanos - nanos <= LOOK_NANOS_MAX) {
                break;
            }
            nanos = afterNanos;
            wallNanos = wallClock.millis() * 1_000_000;
        }
        return new Reading(nanos, wallNanos, OptionalLong.empty());
    }

    /**
     * Both clocks at one moment.
     *
     * @param leapNanos monotonic time at which the clocks were last found to have leapt apart;
     *     empty if never
     */
    public record Reading(long nanos, long wallNanos, OptionalLong leapNanos) {
        /** Returns the reading after both clocks were read again. */
        Reading next(long laterNanos, long laterWallNanos, long toleranceNanos) {
            long elapsedNanos = laterNanos - nanos;
            if (elapsedNanos < 0) {
                // The caller read the clocks before another thread did.
                return this;
            }
            long apartNanos = laterWallNanos - wallNanos - elapsedNanos;
            if (Math.abs(apartNanos) > toleranceNanos) {
                return new Reading(laterNanos, laterWallNanos, OptionalLong.of(laterNanos));
            }
            return elapsedNanos < REFRESH_NANOS
                    ? this
                    : new Reading(laterNanos, laterWallNanos, leapNanos);
        }

        /** Whether a lease that is valid at this moment was granted after the last leap. */
        boolean isTrusted(long atNanos, long leaseNanos) {
            return leapNanos.isEmpty() || atNanos - leapNanos.getAsLong() > leaseNanos;
        }
    }

    /** Whether a lease that is valid now by the monotonic clock may be relied on. */
    public boolean isTrusted() {
        Reading look = look();
        Reading before = last.get();
        Reading now = before.next(look.nanos(), look.wallNanos(), toleranceNanos);
        if (now != before) {
            now =
                    last.updateAndGet(
                            known -> known.next(look.nanos(), look.wallNanos(), toleranceNanos));
        }
        return now.isTrusted(look.nanos(), leaseNanos);
    }
}
