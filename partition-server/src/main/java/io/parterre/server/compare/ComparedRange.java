package io.parterre.server.compare;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A range that is led here, as looks at it have found it. Immutable.
 *
 * @param appliedIndex at the last look
 * @param atNanos of the last look, by the ticker of the node that compares
 * @param entriesPerSecond lately
 * @param changedNanos when a look last found another index
 */
public record ComparedRange(
        Turn turn, long appliedIndex, long atNanos, double entriesPerSecond, long changedNanos) {
    /** Nothing was written for so long: an entry that lies ahead is not waited for any longer. */
    private static final Duration STILL_MAX = Duration.ofSeconds(2);

    /** Of the first look. */
    public ComparedRange(Turn turn, long appliedIndex, long nowNanos) {
        this(turn, appliedIndex, nowNanos, 0, nowNanos);
    }

    /** After another look. */
    public ComparedRange seen(long index, long nowNanos) {
        double seconds = (nowNanos - atNanos) / (double) TimeUnit.SECONDS.toNanos(1);
        return seconds <= 0
                ? this
                : new ComparedRange(
                        turn,
                        index,
                        nowNanos,
                        // A burst is remembered for some looks.
                        Math.max((index - appliedIndex) / seconds, entriesPerSecond / 2),
                        index == appliedIndex ? changedNanos : nowNanos);
    }

    /** Whether nothing was applied between the last two looks, and nothing since. */
    private boolean isIdleAt(long index) {
        return index == appliedIndex && changedNanos != atNanos;
    }

    /** Entry at which the members are to be compared, once this index is applied here. */
    public long target(long index) {
        return turn.target(index, isIdleAt(index), entriesPerSecond);
    }

    /** Whether an entry that lies ahead is not going to be written soon. */
    public boolean isInVain(long index, long nowNanos) {
        return nowNanos - changedNanos >= STILL_MAX.toNanos() && appliedIndex < index;
    }

    public ComparedRange with(Turn next) {
        return new ComparedRange(next, appliedIndex, atNanos, entriesPerSecond, changedNanos);
    }
}
