package io.parterre.bench.load;

import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * Counts answers within the measured time. A later answer, in flight when the time was up, does not
 * count, unless it is an error. Not thread-safe.
 */
public final class TimedRecorder implements Recorder {
    private static final long NANOS_MAX = Duration.ofMinutes(2).toNanos();

    private final Histogram nanos = new Histogram(NANOS_MAX, 3);
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, String> firstErrors = new TreeMap<>();
    private final long fromNanos;
    private final long toNanos;
    private long entities;

    /** Starts the measured time now. */
    public TimedRecorder(Duration measured) {
        this(System.nanoTime(), measured);
    }

    TimedRecorder(long nowNanos, Duration measured) {
        this.fromNanos = nowNanos;
        this.toNanos = nowNanos + measured.toNanos();
    }

    @Override
    public void answered(long startNanos, long endNanos, long answeredEntities) {
        if (endNanos - toNanos < 0) {
            nanos.recordValue(Math.min(NANOS_MAX, endNanos - startNanos));
            entities += answeredEntities;
        }
    }

    @Override
    public void failed(long nowNanos, String kind, String details) {
        errors.merge(kind, 1L, Long::sum);
        firstErrors.putIfAbsent(kind, details);
    }

    public Measurement result() {
        return new Measurement(
                (toNanos - fromNanos) / 1e9,
                nanos.getTotalCount(),
                entities,
                new Measurement.Latency(
                        microsAt(50), microsAt(99), microsAt(99.9), nanos.getMaxValue() / 1e3),
                errors,
                firstErrors);
    }

    private double microsAt(double percentile) {
        return nanos.getValueAtPercentile(percentile) / 1e3;
    }
}
