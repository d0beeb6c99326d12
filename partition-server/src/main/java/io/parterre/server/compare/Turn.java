package io.parterre.server.compare;

import io.parterre.range.NodeId;
import io.parterre.server.compare.MemberAnswer.Why;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * The time of the next comparison of a range that is led here, and the results so far. Immutable.
 *
 * @param dueNanos time by the ticker of the comparing node
 * @param retries comparisons in a row without a verdict
 * @param passes how many of the last retries had a member that had passed the entry
 * @param suspected members that differed in the last comparison with a verdict
 */
public record Turn(long dueNanos, int retries, int passes, Set<NodeId> suspected) {
    /** After so many doublings the pauses and the margin stop growing. */
    private static final int DOUBLINGS_MAX = 6;

    /** Retries without a pause after members had passed the entry, or had not reached it. */
    private static final int HASTY_MAX = 4;

    /** The first pause is about this part (1/256) of the interval. */
    private static final long RETRIES_AN_INTERVAL = 256;

    /**
     * A range that has just written so many entries may do so again while the members are asked.
     */
    private static final int MARGIN_MIN = 8;

    /** Time for the question to reach all members. */
    private static final double MARGIN_SECONDS = 2;

    public Turn {
        suspected = Set.copyOf(suspected);
    }

    /**
     * Returns the first turn of a range that is led here since now. It is due at a random time
     * within an interval, so that not all ranges are due at once, nor a range after each change of
     * leadership.
     *
     * @param chance random number from 0 to 1
     */
    public static Turn first(long nowNanos, double chance, Duration interval) {
        return new Turn(nowNanos + (long) (interval.toNanos() * chance), 0, 0, Set.of());
    }

    public boolean isDue(long nowNanos) {
        return dueNanos - nowNanos <= 0;
    }

    /**
     * Returns the entry at which the members are to be compared: the last entry if nothing is
     * written, else an entry that no member has reached when it is asked.
     *
     * @param idle whether nothing was written lately
     */
    public long target(long appliedIndex, boolean idle, double entriesPerSecond) {
        if (idle && passes == 0) {
            return appliedIndex;
        }
        long margin = Math.max(MARGIN_MIN, (long) Math.ceil(entriesPerSecond * MARGIN_SECONDS));
        return appliedIndex + (margin << Math.min(passes, DOUBLINGS_MAX));
    }

    /**
     * Returns the members that have differed twice in a row, at two entries. A single wrong read is
     * no reason to rebuild a replica.
     */
    public Set<NodeId> confirmed(ComparisonVerdict verdict) {
        if (!(verdict instanceof ComparisonVerdict.Differ differ)) {
            return Set.of();
        }
        Set<NodeId> twice = new HashSet<>(differ.odd());
        twice.retainAll(suspected);
        return twice;
    }

    /**
     * Returns the turn after a comparison.
     *
     * @param chance random number from 0 to 1
     */
    public Turn after(ComparisonVerdict verdict, long nowNanos, double chance, Duration interval) {
        if (verdict instanceof ComparisonVerdict.Open open) {
            return again(open.why(), suspected, nowNanos, chance, interval);
        }
        if (verdict instanceof ComparisonVerdict.Undecided) {
            // Once a member that is silent now has answered, there may be a majority.
            return again(Why.UNREACHABLE, suspected, nowNanos, chance, interval);
        }
        Set<NodeId> odd =
                verdict instanceof ComparisonVerdict.Differ differ ? differ.odd() : Set.of();
        if (!odd.isEmpty() && suspected.isEmpty()) {
            return new Turn(nowNanos, 0, 0, odd);
        }
        if (!suspected.containsAll(odd)) {
            return again(Why.CHANGED, odd, nowNanos, chance, interval);
        }
        // After 0.9 to 1.1 intervals, so that ranges that were due together do not stay so for
        // ever.
        return new Turn(nowNanos + (long) (interval.toNanos() * (0.9 + chance / 5)), 0, 0, odd);
    }

    private Turn again(Why why, Set<NodeId> odd, long nowNanos, double chance, Duration interval) {
        boolean passed = why == Why.PASSED;
        boolean missed = passed || why == Why.NOT_REACHED;
        double pause =
                missed && retries < HASTY_MAX
                        ? 0
                        : (double) interval.toNanos()
                                / RETRIES_AN_INTERVAL
                                * (1L << Math.min(retries, DOUBLINGS_MAX))
                                * (0.5 + chance);
        return new Turn(
                nowNanos + (long) pause,
                Math.min(retries + 1, Integer.MAX_VALUE - 1),
                passed ? passes + 1 : 0,
                odd);
    }
}
