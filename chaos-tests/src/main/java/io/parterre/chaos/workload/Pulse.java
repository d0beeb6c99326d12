package io.parterre.chaos.workload;

import java.time.Duration;
import java.util.Optional;

/**
 * How writes continue through a fault: the time until the first write begun after it is
 * acknowledged, the longest silence between two acknowledgements, and how long each write took.
 * Watches one fault at a time. Thread-safe.
 */
public final class Pulse {
    private long sinceNanos;
    private long lastBeatNanos;
    private long longestSilenceNanos;
    private Optional<Duration> recovery = Optional.empty();
    private Durations latencies = new Durations();

    /**
     * Records an acknowledgement.
     *
     * @param begunNanos when its write was sent
     */
    public synchronized void beat(long begunNanos, long acknowledgedNanos) {
        longestSilenceNanos = Math.max(longestSilenceNanos, acknowledgedNanos - lastBeatNanos);
        lastBeatNanos = Math.max(lastBeatNanos, acknowledgedNanos);
        latencies.add(Duration.ofNanos(acknowledgedNanos - begunNanos));
        // A write begun before the fault may have been answered by what the fault has ended, so it
        // does not count.
        if (recovery.isEmpty() && begunNanos - sinceNanos >= 0) {
            recovery = Optional.of(Duration.ofNanos(acknowledgedNanos - sinceNanos));
        }
    }

    /** Starts to watch at this moment of {@link System#nanoTime()}. */
    public synchronized void watchFrom(long nowNanos) {
        sinceNanos = nowNanos;
        lastBeatNanos = nowNanos;
        longestSilenceNanos = 0;
        recovery = Optional.empty();
        latencies = new Durations();
    }

    /**
     * Returns the time from the start of the watch to the first acknowledgement of a write begun
     * after it; empty if there is none yet.
     */
    public synchronized Optional<Duration> recovery() {
        return recovery;
    }

    /**
     * Returns the longest time from the start of the watch, or from an acknowledgement, to the next
     * acknowledgement.
     */
    public synchronized Duration longestSilence() {
        return Duration.ofNanos(longestSilenceNanos);
    }

    /**
     * Returns how long each write took that was acknowledged since the start of the watch, or since
     * the last call.
     */
    public synchronized Durations takeLatencies() {
        Durations taken = latencies;
        latencies = new Durations();
        return taken;
    }
}
