package io.parterre.manager.plan;

import java.time.Duration;

/**
 * How a node's clock compares with those of the others.
 *
 * @param judged whether enough clocks were known to tell; if not, the rest is what was known before
 * @param ahead of what most clocks say; negative: behind
 * @param tooFar whether the node is to lead nothing because of it
 */
public record ClockVerdict(boolean judged, Duration ahead, boolean tooFar) {
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
