package io.parterre.server.compare;

import io.parterre.range.NodeId;
import io.parterre.server.compare.MemberAnswer.Why;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * When a range that is led here is compared next, and what is known of it by then. Immutable.
 *
 * @param dueNanos by the ticker of the node that compares
 * @param retries comparisons in a row without a verdict
 * @param passes of those, the last ones in which a member had passed the entry
 * @param suspected members that differed in the last comparison that came to something
 */
public record Turn(long dueNanos, int retries, int passes, Set<NodeId> suspected) {
    /** Beyond that the pauses and the margin grow no more. */
    private static final int DOUBLINGS_MAX = 6;

    /** So often a member may pass the entry, or not come to it, before there is a pause. */
    private static final int HASTY_MAX = 4;

    /** Part of the interval that passes before the first retry. */
    private static final long RETRIES_AN_INTERVAL = 256;

    /** A range that has just written so much may do so again while the members are asked. */
    private static final int MARGIN_MIN = 8;

    /** Time for the question to reach all members. */
    private static final double MARGIN_SECONDS = 2;

    public Turn {
        suspected = Set.copyOf(suspected);
    }

    /**
     * Of a range that is led here since now: some time in an interval, so that not all come at
     * once, nor with each change of a leadership.
     *
     * @param chance from 0 to 1
     */
    public static Turn first(long nowNanos, double chance, Duration interval) {
        return new Turn(nowNanos + (long) (interval.toNanos() * chance), 0, 0, Set.of());
    }

    public boolean isDue(long nowNanos) {
        return dueNanos - nowNanos <= 0;
    }

    /**
     * Entry at which the members are to be compared: the last one, where nothing is written, else
     * one that none of them has come to when it is asked.
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
     * Members that have differed twice in a row, at two entries: what was read wrongly once is no
     * reason to rebuild a replica.
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
     * After a comparison.
     *
     * @param chance from 0 to 1
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
        // Between 0.9 and 1.1 of it: what fell together does not for ever.
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
