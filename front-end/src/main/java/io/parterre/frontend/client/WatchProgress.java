package io.parterre.frontend.client;

import java.time.Duration;

/**
 * What a watch of the cluster map has come through, and by that what it asks for next. Pure;
 * immutable.
 *
 * @param failures streams in a row that ended without an update
 * @param wholeWanted whether the next stream asks for the whole map
 * @param wholeAskedNanos when the whole map was last asked for
 */
record WatchProgress(int failures, boolean wholeWanted, long wholeAskedNanos) {
    /** A whole map is large; nodes correct most of what is out of date. */
    private static final Duration WHOLE_INTERVAL_MIN = Duration.ofSeconds(1);

    static WatchProgress atStart(long nowNanos) {
        return new WatchProgress(0, true, nowNanos - WHOLE_INTERVAL_MIN.toNanos());
    }

    /** A stream is opened, which asks for the whole map if that is wanted. */
    WatchProgress opened(long nowNanos) {
        return wholeWanted ? new WatchProgress(failures, true, nowNanos) : this;
    }

    /** Whether the whole map may be asked for again: not more than once a second. */
    boolean mayRefresh(long nowNanos) {
        return nowNanos - wholeAskedNanos >= WHOLE_INTERVAL_MIN.toNanos();
    }

    /** The map is out of date: the whole of it is wanted. */
    WatchProgress refreshed(long nowNanos) {
        return new WatchProgress(failures, true, nowNanos);
    }

    /**
     * An update has come.
     *
     * @param whole whether it is the whole map
     */
    WatchProgress updated(boolean whole) {
        return new WatchProgress(0, wholeWanted && !whole, wholeAskedNanos);
    }

    /** The stream has ended. */
    WatchProgress ended() {
        return new WatchProgress(failures + 1, wholeWanted, wholeAskedNanos);
    }
}
