package io.parterre.server.rpc;

import java.util.concurrent.atomic.AtomicLong;

/** Memory of requests and answers held by all streams together. Safe for any thread. */
final class MemoryBudget {
    private final long bytesMax;
    private final AtomicLong held = new AtomicLong();

    MemoryBudget(long bytesMax) {
        this.bytesMax = bytesMax;
    }

    /** Takes it unless that exceeds the bound; one request always fits. */
    boolean tryTake(long bytes) {
        long after = held.addAndGet(bytes);
        if (after > bytesMax && after != bytes) {
            held.addAndGet(-bytes);
            return false;
        }
        return true;
    }

    /** Takes it in any case: for answers, which exist already. */
    void take(long bytes) {
        held.addAndGet(bytes);
    }

    /** Whether answers have taken more than there is: nobody should make more of them. */
    boolean isExceeded() {
        return held.get() > bytesMax;
    }

    void giveBack(long bytes) {
        held.addAndGet(-bytes);
    }

    long heldBytes() {
        return held.get();
    }
}
