package io.parterre.quota;

import java.time.Duration;

/**
 * What is left of a {@link Rate}. It fills with time up to the burst, and each request takes its
 * cost out. One that costs more than a full bucket has is let through when the bucket is full and
 * leaves it in debt, so that every request goes through at some time and the rate holds all the
 * same. Immutable.
 *
 * @param tokens there at that moment; below 0: a debt
 * @param atNanos of its keeper's ticker
 */
public record TokenBucket(double tokens, long atNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    public static TokenBucket full(Rate rate, long nowNanos) {
        return new TokenBucket(rate.burst(), nowNanos);
    }

    /** As it is later; a ticker that went back adds nothing. */
    public TokenBucket at(long nowNanos, Rate rate) {
        long elapsed = nowNanos - atNanos;
        if (elapsed <= 0) {
            return tokens <= rate.burst() ? this : new TokenBucket(rate.burst(), atNanos);
        }
        double filled = tokens + elapsed / NANOS_PER_SECOND * rate.perSecond();
        return new TokenBucket(Math.min(rate.burst(), filled), nowNanos);
    }

    /** Whether something of this cost may pass now; to be asked of the bucket as it is now. */
    public boolean has(double cost, Rate rate) {
        return tokens >= needed(cost, rate);
    }

    /** Without this cost, whether it has it or not. */
    public TokenBucket without(double cost) {
        return new TokenBucket(tokens - cost, atNanos);
    }

    /** Until something of this cost may pass, if nothing else does; zero: now. */
    public Duration until(double cost, Rate rate) {
        double missing = needed(cost, rate) - tokens;
        return missing <= 0
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.ceil(missing / rate.perSecond() * NANOS_PER_SECOND));
    }

    private static double needed(double cost, Rate rate) {
        return Math.min(cost, rate.burst());
    }

    /** Whether it says no more than a new one would; to be asked of the bucket as it is now. */
    public boolean isFull(Rate rate) {
        return tokens >= rate.burst();
    }
}
