package io.parterre.manager.plan;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * The most that was asked of a range in the last five minutes, by the reports of whoever led it
 * meanwhile. Known only once it was heard of for so long. Immutable; safe for any thread.
 */
public final class LoadPeak {
    public static final Duration WINDOW = Duration.ofMinutes(5);

    /** Memory is bounded by keeping one number for each slot of time. */
    private static final Duration SLOT = Duration.ofSeconds(30);

    /** The oldest slot is partly outside of the window. */
    private static final int SLOTS = (int) WINDOW.dividedBy(SLOT) + 1;

    private final double[] mostBySlot;
    private final Instant heardSince;
    private final Instant heardLast;

    private LoadPeak(double[] mostBySlot, Instant heardSince, Instant heardLast) {
        this.mostBySlot = mostBySlot;
        this.heardSince = heardSince;
        this.heardLast = heardLast;
    }

    /**
     * With what a report says. After a silence longer than a slot it begins anew: what was asked
     * meanwhile is not known.
     *
     * @param operationsPerSecond those refused among them
     */
    public static LoadPeak next(Optional<LoadPeak> before, double operationsPerSecond, Instant at) {
        Optional<LoadPeak> known = before.filter(peak -> peak.isFresh(at));
        double[] most =
                known.map(peak -> peak.mostBySlot.clone()).orElseGet(() -> new double[SLOTS]);
        long slot = slot(at);
        for (long passed = known.map(peak -> slot(peak.heardLast)).orElse(slot) + 1;
                passed <= slot;
                passed++) {
            most[index(passed)] = 0;
        }
        most[index(slot)] = Math.max(most[index(slot)], operationsPerSecond);
        return new LoadPeak(most, known.map(peak -> peak.heardSince).orElse(at), at);
    }

    private static long slot(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), SLOT.toSeconds());
    }

    private static int index(long slot) {
        return (int) Math.floorMod(slot, (long) SLOTS);
    }

    /** Whether it was heard of lately. */
    public boolean isFresh(Instant now) {
        return !now.isAfter(heardLast.plus(SLOT)) && !now.isBefore(heardLast);
    }

    /** Operations a second at most; empty: it was not heard of all the time. */
    public Optional<Double> operationsPerSecond(Instant now) {
        boolean known = isFresh(now) && !heardSince.plus(WINDOW).isAfter(now);
        return known ? Optional.of(Arrays.stream(mostBySlot).max().orElse(0)) : Optional.empty();
    }
}
