package io.parterre.quota;

import java.time.Duration;
import java.util.Optional;

/** The unused part of a {@link Limit}. Immutable. */
public record Allowance(TokenBucket requests, TokenBucket entities) {
    /**
     * Returns a full allowance for any limit: a bucket is cut to its burst when it is next read.
     */
    public static Allowance full(long nowNanos) {
        TokenBucket full = new TokenBucket(Double.POSITIVE_INFINITY, nowNanos);
        return new Allowance(full, full);
    }

    /** Returns the allowance at a later time. */
    public Allowance at(long nowNanos, Limit limit) {
        return new Allowance(
                at(requests, limit.requests(), nowNanos), at(entities, limit.entities(), nowNanos));
    }

    /** Without a bound nothing is used up, and there is no debt when a bound is set later. */
    private static TokenBucket at(TokenBucket bucket, Optional<Rate> rate, long nowNanos) {
        return rate.map(bound -> bucket.at(nowNanos, bound))
                .orElseGet(() -> new TokenBucket(Double.POSITIVE_INFINITY, nowNanos));
    }

    /**
     * Returns the time until one request about so many entities may pass; zero: now. The allowance
     * must be up to date, see {@link #at}.
     */
    public Duration until(int entityCount, Limit limit) {
        Duration forRequest = until(requests, limit.requests(), 1);
        Duration forEntities = until(entities, limit.entities(), entityCount);
        return forRequest.compareTo(forEntities) >= 0 ? forRequest : forEntities;
    }

    private static Duration until(TokenBucket bucket, Optional<Rate> rate, double cost) {
        return rate.map(bound -> bucket.until(cost, bound)).orElse(Duration.ZERO);
    }

    /**
     * Returns the allowance without these requests and entities, or with them if negative. It may
     * be a debt.
     */
    public Allowance without(int requestCount, int entityCount) {
        return new Allowance(requests.without(requestCount), entities.without(entityCount));
    }

    /**
     * Returns whether this allowance equals a new one in effect. It must be up to date, see {@link
     * #at}.
     */
    public boolean isFull(Limit limit) {
        return limit.requests().map(requests::isFull).orElse(true)
                && limit.entities().map(entities::isFull).orElse(true);
    }
}
