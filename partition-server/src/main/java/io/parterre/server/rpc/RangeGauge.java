package io.parterre.server.rpc;

import io.parterre.server.load.RangeUsage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** What a range has under way of a kind, as it comes and goes. Safe for any thread. */
final class RangeGauge {
    /** Of one more answer in the average wait. */
    private static final int WAIT_WEIGHT = 8;

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Of two updates at a time one may be lost: it is an estimate. */
    private volatile long waitNanos;

    RangeUsage usage() {
        return new RangeUsage(requests.get(), bytes.get(), waitNanos);
    }

    void take(int sizeBytes) {
        requests.incrementAndGet();
        bytes.addAndGet(sizeBytes);
    }

    void giveBack(int sizeBytes, long tookNanos) {
        requests.decrementAndGet();
        bytes.addAndGet(-sizeBytes);
        long before = waitNanos;
        waitNanos = before + (tookNanos - before) / WAIT_WEIGHT;
    }
}
