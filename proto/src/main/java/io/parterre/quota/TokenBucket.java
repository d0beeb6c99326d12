package io.parterre.quota;

import java.time.Duration;

/**
 * The unused part of a {@link Rate}. The bucket fills over time up to the burst, and each request
 * takes its cost. A request that costs more than a full bucket passes when the bucket is full and
 * leaves a debt. So every request passes at some time, and the rate still holds. Immutable.
 *
 * @param tokens tokens at {@code atNanos}; below 0: a debt
 * @param atNanos time of the owner's ticker
 */
public record TokenBucket(double tokens, long atNanos) {
    private static final double NANOS_PER_SECOND = 1e9;

    public static TokenBucket full(Rate rate, long nowNanos) {
        return new TokenBucket(rate.burst(), nowNanos);
    }

    /** Returns the bucket at a later time; a ticker that went back adds nothing. */
    public TokenBucket at(long nowNanos, Rate rate) {
        long elapsed = nowNanos - atNanos;
        if (elapsed <= 0) {
            return tokens <= rate.burst() ? this : new TokenBucket(rate.burst(), atNanos);
        }
        double filled = tokens + elapsed / NANOS_PER_SECOND * rate.perSecond();
        return new TokenBucket(Math.min(rate.burst(), filled), nowNanos);
    }

    /**
     * Returns whether a request of this cost may pass now. The bucket must be up to date, see
     * {@link #at}.
     */
    public boolean has(double cost, Rate rate) {
        return tokens >= needed(cost, rate);
    }

    /** Returns the bucket without this cost, even if it becomes a debt. */
    public TokenBucket without(double cost) {
        return new TokenBucket(tokens - cost, atNanos);
    }

    /** Returns the time until a request of this cost may pass, if no other does; zero: now. */
    public Duration until(double cost, Rate rate) {
        double missing = needed(cost, rate) - tokens;
        return missing <= 0
                ? Duration.ZERO
                : Duration.ofNanos((long) Math.ceil(missing / rate.perSecond() * NANOS_PER_SECOND));
    }

    private static double needed(double cost, Rate rate) {
        return Math.min(cost, rate.burst());
    }

    /**
     * Returns whether the bucket equals a new one in effect. It must be up to date, see {@link
     * #at}.
     */
    public boolean isFull(Rate rate) {
        return tokens >= rate.burst();
    }
}
