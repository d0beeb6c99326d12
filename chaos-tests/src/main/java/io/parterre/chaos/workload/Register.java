package io.parterre.chaos.workload;

import io.parterre.chaos.client.EntityId;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What is known of an entity whose value its only writer counts up from 1. Thread-safe.
 *
 * <p>Rule: a read that begins after value n was acknowledged, or after another read that returned n
 * has ended, returns n or more, and no more than was sent by the time it ends.
 */
final class Register {
    private static final long ABSENT = 0;

    private final EntityId id;
    private final AtomicLong sent = new AtomicLong(ABSENT);
    private final AtomicLong certain = new AtomicLong(ABSENT);

    Register(EntityId id) {
        this.id = id;
    }

    EntityId id() {
        return id;
    }

    /** Returns the value that its writer sends next. */
    long nextValue() {
        return sent.incrementAndGet();
    }

    void acknowledged(long value) {
        certain.accumulateAndGet(value, Math::max);
    }

    /** Returns the least value that a read that begins now may return. */
    long floor() {
        return certain.get();
    }

    /**
     * Checks the outcome of a read against the rule, and uses it for the check of later reads.
     *
     * @param floor result of {@link #floor} when the read began
     * @param value empty if there was no such entity
     * @return what is wrong; empty if nothing is
     */
    Optional<String> judge(long floor, Optional<Long> value) {
        long found = value.orElse(ABSENT);
        long ceiling = sent.get();
        if (found < floor) {
            return Optional.of(id + ": stale, read " + found + " (expected: >= " + floor + ")");
        }
        if (found > ceiling) {
            return Optional.of(id + ": read " + found + " (expected: <= " + ceiling + ")");
        }
        certain.accumulateAndGet(found, Math::max);
        return Optional.empty();
    }
}
