package io.parterre.frontend.client;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.LongSupplier;

/** Deadline of a client's call on the monotonic clock. */
record Deadline(long atNanos, LongSupplier nanos) {
    static Deadline of(Instant instant, InstantSource clock, LongSupplier nanos) {
        long leftNanos = Duration.between(clock.instant(), instant).toNanos();
        return new Deadline(nanos.getAsLong() + leftNanos, nanos);
    }

    long leftNanos() {
        return atNanos - nanos.getAsLong();
    }

    Duration left() {
        return Duration.ofNanos(leftNanos());
    }

    boolean isOver() {
        return leftNanos() <= 0;
    }
}
