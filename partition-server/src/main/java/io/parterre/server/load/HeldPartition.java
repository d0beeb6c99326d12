package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.quota.Rate;
import io.parterre.quota.TokenBucket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A partition whose operations are all counted since a sample hit it. Safe for any thread. */
public final class HeldPartition {
    private final Key partition;
    private final AtomicLong asked;
    private final AtomicReference<Optional<TokenBucket>> left =
            new AtomicReference<>(Optional.empty());

    HeldPartition(Key partition, long asked) {
        this.partition = partition;
        this.asked = new AtomicLong(asked);
    }

    boolean is(Key other) {
        return partition.equals(other);
    }

    void count(int operations) {
        asked.addAndGet(operations);
    }

    /** Returns the operations on the partition; the weight of older operations decays. */
    long asked() {
        return asked.get();
    }

    /** Halves the weight. A concurrent count may be lost, because the value is an estimate. */
    void fade() {
        asked.set(asked.get() / 2);
    }

    /** Takes operations from the partition's quota. Returns false if the quota is used up. */
    public boolean take(int operations, Rate rate, long nowNanos) {
        while (true) {
            Optional<TokenBucket> before = left.get();
            TokenBucket now =
                    before.map(bucket -> bucket.at(nowNanos, rate))
                            .orElseGet(() -> TokenBucket.full(rate, nowNanos));
            if (!now.has(operations, rate)) {
                return false;
            }
            if (left.compareAndSet(before, Optional.of(now.without(operations)))) {
                return true;
            }
        }
    }
}
