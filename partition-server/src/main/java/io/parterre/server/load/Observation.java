package io.parterre.server.load;

import io.parterre.range.RangeDescriptor;
import java.time.Duration;

/**
 * What a leader has seen of one range: since it leads it, within the same bounds and at the same
 * generation. Whatever of this changes, it begins again.
 *
 * @param range as it is
 * @param term in which its replica leads
 * @param sinceNanos when it began
 * @param sinceSequence of the last sample taken before
 * @param atNanos when it was last gone on with
 * @param totals as counted then
 * @param sequence of the last sample then
 * @param profile by the samples then
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
    /** Of one core, in a second. */
    private static final double NANOS_PER_PERMILLE = 1e6;

    /** One that begins now. */
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

    /** Goes on with what was counted since, or begins again if it is another lead or range now. */
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
                // An idle range costs nothing.
                lastSequence == sequence
                        ? profile
                        : SplitPointChooser.choose(
                                meter.partitions().after(sinceSequence), now.bounds()));
    }

    /** What it comes to. */
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
