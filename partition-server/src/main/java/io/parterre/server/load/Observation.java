package io.parterre.server.load;

import io.parterre.range.RangeDescriptor;
import java.time.Duration;

/**
 * A leader's observation of one range, since it leads the range within the same bounds and at the
 * same generation. If any of these changes, a new observation begins. Immutable.
 *
 * @param range descriptor at the last update
 * @param term term in which the replica leads
 * @param sinceNanos time at which the observation began
 * @param sinceSequence sequence of the last sample before it began
 * @param atNanos time of the last update
 * @param totals counts at the last update
 * @param sequence sequence of the last sample at the last update
 * @param profile profile from the samples at the last update
 */
public record Observation(
        RangeDescriptor range,
        long term,
        long sinceNanos,
        long sinceSequence,
        long atNanos,
        LoadTotals totals,
        DecayedRate reads,
        DecayedRate writes,
        DecayedRate bytes,
        DecayedRate refused,
        DecayedRate cpuNanos,
        long sequence,
        LoadProfile profile) {
    /** Processor time of a thousandth of a core in one second. */
    private static final double NANOS_PER_PERMILLE = 1e6;

    /** Returns an observation that begins now. */
    public static Observation begin(
            RangeDescriptor range, long term, LoadMeter meter, long nowNanos) {
        long sequence = meter.partitions().lastSequence();
        return new Observation(
                range,
                term,
                nowNanos,
                sequence,
                nowNanos,
                meter.totals(),
                DecayedRate.NONE,
                DecayedRate.NONE,
                DecayedRate.NONE,
                DecayedRate.NONE,
                DecayedRate.NONE,
                sequence,
                LoadProfile.UNKNOWN);
    }

    /**
     * Returns the observation with the counts since the last update, or a new one if the leadership
     * or the range has changed.
     */
    public Observation next(RangeDescriptor now, long nowTerm, LoadMeter meter, long nowNanos) {
        boolean same =
                now.rangeId().equals(range.rangeId())
                        && now.generation().equals(range.generation())
                        && now.bounds().equals(range.bounds())
                        && nowTerm == term;
        if (!same) {
            return begin(now, nowTerm, meter, nowNanos);
        }
        Duration elapsed = Duration.ofNanos(nowNanos - atNanos);
        LoadTotals counted = meter.totals();
        long lastSequence = meter.partitions().lastSequence();
        return new Observation(
                now,
                term,
                sinceNanos,
                sinceSequence,
                nowNanos,
                counted,
                reads.after(counted.reads() - totals.reads(), elapsed),
                writes.after(counted.writes() - totals.writes(), elapsed),
                bytes.after(counted.bytes() - totals.bytes(), elapsed),
                refused.after(counted.refused() - totals.refused(), elapsed),
                cpuNanos.after(counted.cpuNanos() - totals.cpuNanos(), elapsed),
                lastSequence,
                // Without new samples the profile is kept, so an idle range costs nothing.
                lastSequence == sequence
                        ? profile
                        : SplitPointChooser.choose(
                                meter.partitions().after(sinceSequence), now.bounds()));
    }

    /** Returns the load that follows from the observation. */
    public RangeLoad load() {
        return new RangeLoad(
                reads.perSecond(),
                writes.perSecond(),
                bytes.perSecond(),
                refused.perSecond(),
                cpuNanos.perSecond() / NANOS_PER_PERMILLE,
                Duration.ofNanos(atNanos - sinceNanos),
                profile);
    }
}
