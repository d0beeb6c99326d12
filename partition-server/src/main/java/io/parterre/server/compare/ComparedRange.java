package io.parterre.server.compare;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * Measurements of a range that is led here, for its comparison. Immutable.
 *
 * @param appliedIndex applied index at the last measurement
 * @param atNanos time of the last measurement, by the ticker of the comparing node
 * @param entriesPerSecond recent rate of log entries
 * @param changedNanos time at which a measurement last found another index
 */
public record ComparedRange(
        Turn turn, long appliedIndex, long atNanos, double entriesPerSecond, long changedNanos) {
    /** Time without a write after which an entry that lies ahead is no longer awaited. */
    private static final Duration STILL_MAX = Duration.ofSeconds(2);

    /** Starts with the first measurement. */
    public ComparedRange(Turn turn, long appliedIndex, long nowNanos) {
        this(turn, appliedIndex, nowNanos, 0, nowNanos);
    }

    /** Returns the state after another measurement. */
    public ComparedRange seen(long index, long nowNanos) {
        double seconds = (nowNanos - atNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        return seconds <= 0
                ? this
                : new ComparedRange(
                        turn,
                        index,
                        nowNanos,
                        // A burst is remembered for some measurements.
                        Math.max((index - appliedIndex) / seconds, entriesPerSecond / 2),
                        index == appliedIndex ? changedNanos : nowNanos);
    }

    /** Returns whether nothing was applied between the last two measurements, and nothing since. */
    private boolean isIdleAt(long index) {
        return index == appliedIndex && changedNanos != atNanos;
    }

    /**
     * Returns the entry at which the members are to be compared, once this index is applied here.
     */
    public long target(long index) {
        return turn.target(index, isIdleAt(index), entriesPerSecond);
    }

    /** Returns whether an entry that lies ahead will not be written soon. */
    public boolean isInVain(long index, long nowNanos) {
        return nowNanos - changedNanos >= STILL_MAX.toNanos() && appliedIndex < index;
    }

    public ComparedRange with(Turn next) {
        return new ComparedRange(next, appliedIndex, atNanos, entriesPerSecond, changedNanos);
    }
}
