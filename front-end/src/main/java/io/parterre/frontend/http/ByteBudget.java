package io.parterre.frontend.http;

import java.util.concurrent.atomic.AtomicLong;

/** Bytes that all connections together may hold. Safe for any thread. */
final class ByteBudget {
    private final long max;
    private final AtomicLong held = new AtomicLong();

    ByteBudget(long max) {
        this.max = max;
    }

    /** Takes so many bytes, or none of them. */
    boolean tryTake(long bytes) {
        if (bytes == 0) {
            return true;
        }
        long now = held.addAndGet(bytes);
        if (now > max) {
            held.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Counts what is already there, over the limit or not: new requests wait for it to go. */
    void take(long bytes) {
        held.addAndGet(bytes);
    }

    void giveBack(long bytes) {
        if (bytes != 0) {
            held.addAndGet(-bytes);
        }
    }

    long held() {
        return held.get();
    }
}
