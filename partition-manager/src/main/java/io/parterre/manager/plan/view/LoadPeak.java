package io.parterre.manager.plan.view;

import io.parterre.manager.plan.policy.Demand;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * The largest demand of a range in the last five minutes, by the reports of its leaders. Known only
 * after reports for that long. Immutable.
 */
public final class LoadPeak {
    public static final Duration WINDOW = Duration.ofMinutes(5);

    /** Memory is bounded because each slot of time keeps one number. */
    private static final Duration SLOT = Duration.ofSeconds(30);

    /** One slot more, because the oldest one lies partly outside of the window. */
    private static final int SLOTS = (int) WINDOW.dividedBy(SLOT) + 1;

    private final double[] operationsBySlot;
    private final float[] cpuBySlot;
    private final Instant heardSince;
    private final Instant heardLast;

    private LoadPeak(
            double[] operationsBySlot, float[] cpuBySlot, Instant heardSince, Instant heardLast) {
        this.operationsBySlot = operationsBySlot;
        this.cpuBySlot = cpuBySlot;
        this.heardSince = heardSince;
        this.heardLast = heardLast;
    }

    /**
     * Returns the peak with another report. After a silence longer than a slot the peak starts
     * over, because the demand meanwhile is not known.
     *
     * @param wanted demand, all refused calls included
     */
    public static LoadPeak next(Optional<LoadPeak> before, Demand wanted, Instant at) {
        Optional<LoadPeak> known = before.filter(peak -> peak.isFresh(at));
        double[] operations =
                known.map(peak -> peak.operationsBySlot.clone()).orElseGet(() -> new double[SLOTS]);
        float[] cpu = known.map(peak -> peak.cpuBySlot.clone()).orElseGet(() -> new float[SLOTS]);
        long slot = slot(at);
        for (long passed = known.map(peak -> slot(peak.heardLast)).orElse(slot) + 1;
                passed <= slot;
                passed++) {
            operations[index(passed)] = 0;
            cpu[index(passed)] = 0;
        }
        int now = index(slot);
        operations[now] = Math.max(operations[now], wanted.operationsPerSecond());
        cpu[now] = Math.max(cpu[now], (float) wanted.cpuPermille());
        return new LoadPeak(operations, cpu, known.map(peak -> peak.heardSince).orElse(at), at);
    }

    private static long slot(Instant at) {
        return Math.floorDiv(at.getEpochSecond(), SLOT.toSeconds());
    }

    private static int index(long slot) {
        return (int) Math.floorMod(slot, (long) SLOTS);
    }

    /** Returns whether the last report is at most a slot old. */
    public boolean isFresh(Instant now) {
        return !now.isAfter(heardLast.plus(SLOT)) && !now.isBefore(heardLast);
    }

    /**
     * Returns the largest demand in each measure; empty if reports do not cover the whole window.
     */
    public Optional<Demand> most(Instant now) {
        boolean known = isFresh(now) && !heardSince.plus(WINDOW).isAfter(now);
        if (!known) {
            return Optional.empty();
        }
        Demand most = Demand.NONE;
        for (int slot = 0; slot < SLOTS; slot++) {
            most = most.max(new Demand(operationsBySlot[slot], cpuBySlot[slot]));
        }
        return Optional.of(most);
    }
}
