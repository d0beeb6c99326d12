package io.parterre.manager.plan.view;

import java.time.Duration;

/**
 * How a node's clock compares with those of the others.
 *
 * @param judged whether enough clocks were known to tell; if not, the rest is what was known before
 * @param ahead of what most clocks say; negative: behind
 * @param tooFar whether the node may lead no range because of it
 */
public record ClockVerdict(boolean judged, Duration ahead, boolean tooFar) {
    /** Whether it says what most clocks say: also one that is behind does not. */
    public boolean agrees() {
        return judged && !tooFar && ahead.abs().compareTo(ClockSkew.AHEAD_MAX) <= 0;
    }

    /** Of a node that has not told the time. */
    public static final ClockVerdict UNKNOWN = new ClockVerdict(false, Duration.ZERO, false);

    /**
     * What a node was told by the manager that led before.
     *
     * @param ahead zero: not too far
     */
    public static ClockVerdict toldBefore(Duration ahead) {
        return new ClockVerdict(false, ahead, !ahead.isZero());
    }
}
