package io.parterre.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Times of good answers and of 503, kept apart. Several loops' times can be added once the loops
 * have ended. A request that was refused as busy is no error here. Not thread-safe.
 */
public final class StatusTimes implements Recorder {
    private static final long NANOS_MAX = Duration.ofMinutes(2).toNanos();
    private static final int BUSY = 503;

    private final Histogram good = new Histogram(NANOS_MAX, 3);
    private final Histogram busy = new Histogram(NANOS_MAX, 3);
    private final Map<String, Long> errors = new TreeMap<>();
    private boolean lastBusy;

    /** Returns the same work, for which 503 is a good answer. */
    public Work hears(Work work) {
        return new Work() {
            @Override
            public boolean next(int connection, RequestWriter requests, ByteText out) {
                return work.next(connection, requests, out);
            }

            @Override
            public long check(int connection, Answer answer) throws UnexpectedAnswer {
                lastBusy = answer.status() == BUSY;
                return lastBusy ? 0 : work.check(connection, answer);
            }

            @Override
            public void lost(int connection) {
                work.lost(connection);
            }
        };
    }

    @Override
    public void answered(long startNanos, long endNanos, long entities) {
        (lastBusy ? busy : good).recordValue(Math.min(NANOS_MAX, endNanos - startNanos));
    }

    @Override
    public void failed(long nowNanos, String kind, String details) {
        errors.merge(kind, 1L, Long::sum);
    }

    /** Adds the times and errors of another instance. */
    public void add(StatusTimes other) {
        good.add(other.good);
        busy.add(other.busy);
        other.errors.forEach((kind, count) -> errors.merge(kind, count, Long::sum));
    }

    public long goodCount() {
        return good.getTotalCount();
    }

    public long busyCount() {
        return busy.getTotalCount();
    }

    public double goodMillis(double percentile) {
        return good.getValueAtPercentile(percentile) / 1e6;
    }

    public double busyMillis(double percentile) {
        return busy.getValueAtPercentile(percentile) / 1e6;
    }

    /** Returns the errors by kind; empty if there were none. */
    public Map<String, Long> errors() {
        return Map.copyOf(errors);
    }
}
