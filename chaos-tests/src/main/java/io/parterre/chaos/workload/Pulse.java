package io.parterre.chaos.workload;

import java.time.Duration;
import java.util.Optional;

/**
 * How writes go on through a fault: the time until the first one that was begun after it is
 * acknowledged, the longest silence between two acknowledgements, and how long each write took.
 * Watches one fault at a time. Safe for any thread.
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
        // One that was under way before may owe its answer to what the fault has ended.
        if (recovery.isEmpty() && begunNanos - sinceNanos >= 0) {
            recovery = Optional.of(Duration.ofNanos(acknowledgedNanos - sinceNanos));
        }
    }

    /** Watches from this moment of {@link System#nanoTime()} on. */
    public synchronized void watchFrom(long nowNanos) {
        sinceNanos = nowNanos;
        lastBeatNanos = nowNanos;
        longestSilenceNanos = 0;
        recovery = Optional.empty();
        latencies = new Durations();
    }

    /** From there to the first acknowledgement of a write that was begun after it. */
    public synchronized Optional<Duration> recovery() {
        return recovery;
    }

    /** The longest time from there, or from an acknowledgement, to the next one. */
    public synchronized Duration longestSilence() {
        return Duration.ofNanos(longestSilenceNanos);
    }

    /** How long each write took that was acknowledged from there until now. */
    public synchronized Durations takeLatencies() {
        Durations taken = latencies;
        latencies = new Durations();
        return taken;
    }
}
