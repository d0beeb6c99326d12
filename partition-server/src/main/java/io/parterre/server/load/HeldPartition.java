package io.parterre.server.load;

import io.parterre.key.Key;
import io.parterre.quota.Rate;
import io.parterre.quota.TokenBucket;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A partition whose operations are counted one by one, since a sample fell on it. */
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

    /** Operations asked of it; what is older than a moment counts less and less. */
    long asked() {
        return asked.get();
    }

    /** Half of the weight goes. What is counted meanwhile may be lost: it is an estimate. */
    void fade() {
        asked.set(asked.get() / 2);
    }

    /** Takes operations out of what the partition may be asked; false: it has used that up. */
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
