package io.parterre.bench.load;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Records a load of known size: the rate of each tenth, and the longest time without any
 * acknowledgement. Not thread-safe.
 */
public final class TenthsRecorder implements Recorder {
    private final long total;
    private final long startNanos;
    private final List<Double> tenths = new ArrayList<>();
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, String> firstErrors = new TreeMap<>();
    private long loaded;
    private long tenthStartNanos;
    private long tenthStartLoaded;
    private long lastNanos;
    private long longestStallNanos;
    private long longestAnswerNanos;

    /** Starts the first tenth now. */
    public TenthsRecorder(long total) {
        this(total, System.nanoTime());
    }

    TenthsRecorder(long total, long nowNanos) {
        this.total = total;
        this.startNanos = nowNanos;
        this.tenthStartNanos = nowNanos;
        this.lastNanos = nowNanos;
    }

    @Override
    public void answered(long requestStartNanos, long endNanos, long entities) {
        longestStallNanos = Math.max(longestStallNanos, endNanos - lastNanos);
        longestAnswerNanos = Math.max(longestAnswerNanos, endNanos - requestStartNanos);
        lastNanos = endNanos;
        loaded += entities;
        if (loaded >= (tenths.size() + 1) * total / 10) {
            tenths.add((loaded - tenthStartLoaded) * 1e9 / (endNanos - tenthStartNanos));
            tenthStartNanos = endNanos;
            tenthStartLoaded = loaded;
        }
    }

    @Override
    public void failed(long nowNanos, String kind, String details) {
        errors.merge(kind, 1L, Long::sum);
        firstErrors.putIfAbsent(kind, details);
    }

    public long loaded() {
        return loaded;
    }

    /** Returns the entities a second in each complete tenth. */
    public List<Double> tenths() {
        return List.copyOf(tenths);
    }

    /**
     * Returns the rate of the last complete tenth divided by that of the first; NaN if there are
     * fewer than two.
     */
    public double lastByFirst() {
        return tenths.size() < 2 ? Double.NaN : tenths.get(tenths.size() - 1) / tenths.get(0);
    }

    public double perSecond() {
        return loaded * 1e9 / Math.max(1, lastNanos - startNanos);
    }

    public Duration longestStall() {
        return Duration.ofNanos(longestStallNanos);
    }

    public Duration longestAnswer() {
        return Duration.ofNanos(longestAnswerNanos);
    }

    public Map<String, Long> errors() {
        return Map.copyOf(errors);
    }

    public Map<String, String> firstErrors() {
        return Map.copyOf(firstErrors);
    }
}
