package io.parterre.bench.load;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts good answers of each second of a run. Not thread-safe. */
public final class SecondsRecorder implements Recorder {
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final long startNanos;
    private final long[] answers;
    private final Map<String, String> firstErrors = new TreeMap<>();

    /** Starts the first second now. */
    public SecondsRecorder(int seconds) {
        this(seconds, System.nanoTime());
    }

    SecondsRecorder(int seconds, long nowNanos) {
        this.answers = new long[seconds];
        this.startNanos = nowNanos;
    }

    @Override
    public void answered(long requestStartNanos, long endNanos, long entities) {
        long second = (endNanos - startNanos) / SECOND;
        if (second < answers.length) {
            answers[(int) second]++;
        }
    }

    @Override
    public void failed(long nowNanos, String kind, String details) {
        firstErrors.putIfAbsent(kind, details);
    }

    /** Returns the number of answers in each second, from the first. */
    public List<Long> perSecond() {
        return Arrays.stream(answers).boxed().toList();
    }

    public Map<String, String> firstErrors() {
        return Map.copyOf(firstErrors);
    }
}
