package io.parterre.server.load;

import java.time.Duration;

/**
 * Limits of a range's requests under way of one kind, above which some are refused. Immutable.
 *
 * @param requestsMax requests accepted and not yet answered
 * @param bytesMax bytes of these requests
 * @param waitMax recent time from accepting a request to its answer
 */
public record RangeCap(int requestsMax, long bytesMax, Duration waitMax) {
    /**
     * The wait counts only from this part (1/8) of the requests on. A disk that pauses makes a few
     * requests wait for long, and no refusal helps those.
     */
    private static final int WAITING_FRACTION = 8;

    /** From this multiple of the cap on, every request is refused. */
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

    /** Returns the fill for this usage. */
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
