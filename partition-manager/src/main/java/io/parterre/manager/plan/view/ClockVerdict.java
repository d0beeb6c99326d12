package io.parterre.manager.plan.view;

import java.time.Duration;

/**
 * How a node's clock compares with those of the others.
 *
 * @param judged whether enough clocks were known; if not, the other fields are those of the
 *     previous verdict
 * @param ahead difference to the median of all clocks; negative if behind
 * @param tooFar whether the node may lead no range because its clock is ahead
 */
public record ClockVerdict(boolean judged, Duration ahead, boolean tooFar) {
    /** Returns whether the clock agrees with most clocks. A clock that is far behind does not. */
    public boolean agrees() {
        return judged && !tooFar && ahead.abs().compareTo(ClockSkew.AHEAD_MAX) <= 0;
    }

    /** The verdict on a node that has not reported its clock. */
    public static final ClockVerdict UNKNOWN = new ClockVerdict(false, Duration.ZERO, false);

    /**
     * Returns the verdict that a node was given by the previous leading manager.
     *
     * @param ahead zero if the clock was not too far ahead
     */
    public static ClockVerdict toldBefore(Duration ahead) {
        return new ClockVerdict(false, ahead, !ahead.isZero());
    }
}
