package io.parterre.quota;

import java.time.Duration;
import java.util.Optional;

/** What is left of a {@link Limit}. Immutable. */
public record Allowance(TokenBucket requests, TokenBucket entities) {
    /** All of it, whatever it is: a bucket holds no more than its burst once it is looked at. */
    public static Allowance full(long nowNanos) {
        TokenBucket full = new TokenBucket(Double.POSITIVE_INFINITY, nowNanos);
        return new Allowance(full, full);
    }

    /** As it is later. */
    public Allowance at(long nowNanos, Limit limit) {
        return new Allowance(
                at(requests, limit.requests(), nowNanos), at(entities, limit.entities(), nowNanos));
    }

    /** Without a bound there is nothing to be used up, nor owed when a bound comes. */
    private static TokenBucket at(TokenBucket bucket, Optional<Rate> rate, long nowNanos) {
        return rate.map(bound -> bucket.at(nowNanos, bound))
                .orElseGet(() -> new TokenBucket(Double.POSITIVE_INFINITY, nowNanos));
    }

    /** Until one request about so many entities may pass; zero: now. To be asked as it is now. */
    public Duration until(int entityCount, Limit limit) {
        Duration forRequest = until(requests, limit.requests(), 1);
        Duration forEntities = until(entities, limit.entities(), entityCount);
        return forRequest.compareTo(forEntities) >= 0 ? forRequest : forEntities;
    }

    private static Duration until(TokenBucket bucket, Optional<Rate> rate, double cost) {
        return rate.map(bound -> bucket.until(cost, bound)).orElse(Duration.ZERO);
    }

    /** Without these, or with them if they are negative; there may be a debt then. */
    public Allowance without(int requestCount, int entityCount) {
        return new Allowance(requests.without(requestCount), entities.without(entityCount));
    }

    /** Whether it says no more than a new one would. To be asked as it is now. */
    public boolean isFull(Limit limit) {
        return limit.requests().map(requests::isFull).orElse(true)
                && limit.entities().map(entities::isFull).orElse(true);
    }
}
