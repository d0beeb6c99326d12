package io.parterre.deploy.tls;

import io.micrometer.core.instrument.Counter;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Counts refusals of one kind, and logs at most one a minute, because a refused peer retries at
 * once. Thread-safe.
 */
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final long INTERVAL_NANOS = Duration.ofMinutes(1).toNanos();

    private final Counter counter;
    private final LongSupplier nanoTicker;
    private final AtomicLong nextNanos;
    private final AtomicLong untold = new AtomicLong();

    RefusalLog(Counter counter, LongSupplier nanoTicker) {
        this.counter = counter;
        this.nanoTicker = nanoTicker;
        this.nextNanos = new AtomicLong(nanoTicker.getAsLong());
    }

    void refused(String reason, Object from) {
        counter.increment();
        long nowNanos = nanoTicker.getAsLong();
        long dueNanos = nextNanos.get();
        if (nowNanos - dueNanos < 0
                || !nextNanos.compareAndSet(dueNanos, nowNanos + INTERVAL_NANOS)) {
            untold.incrementAndGet();
            return;
        }
        LOG.warn(
                "peer refused from={} reason={} othersSince={}", from, reason, untold.getAndSet(0));
    }
}
