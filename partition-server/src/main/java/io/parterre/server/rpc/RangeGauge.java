package io.parterre.server.rpc;

import io.parterre.server.load.RangeUsage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Counts a range's requests under way of one kind. Safe for any thread. */
final class RangeGauge {
    /** One answer changes the average wait by this part (1/8) of the difference. */
    private static final int WAIT_WEIGHT = 8;

    private final AtomicInteger requests = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();

    /** Of two concurrent updates one may be lost, because the value is an estimate. */
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
