package io.parterre.server.load;

import java.time.Duration;

/**
 * How much of a kind a range may have under way before somebody is refused.
 *
 * @param requestsMax taken and not yet answered
 * @param bytesMax of those
 * @param waitMax from taking one to its answer, of late
 */
public record RangeCap(int requestsMax, long bytesMax, Duration waitMax) {
    /** A disk that pauses makes few wait for long, and no refusal helps those. */
    private static final int WAITING_FRACTION = 8;

    /** What is above the cap so many times over is refused whatever it is. */
    private static final int FULL_TIMES = 4;

    public RangeCap {
        if (requestsMax <= 0 || bytesMax <= 0 || waitMax.isNegative() || waitMax.isZero()) {
            throw new IllegalArgumentException(
                    "cap: "
                            + requestsMax
                            + " requests, "
                            + bytesMax
                            + " bytes, "
                            + waitMax
                            + " (expected: positive)");
        }
    }

    /** How full it is. */
    public Fill fill(RangeUsage usage) {
        if (usage.requests() >= (long) FULL_TIMES * requestsMax
                || usage.bytes() / FULL_TIMES >= bytesMax) {
            return Fill.FULL;
        }
        boolean late =
                usage.requests() >= Math.max(1, requestsMax / WAITING_FRACTION)
                        && usage.waitNanos() > waitMax.toNanos();
        return late || usage.requests() >= requestsMax || usage.bytes() >= bytesMax
                ? Fill.OVER
                : Fill.WITHIN;
    }
}
