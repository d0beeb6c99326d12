package io.parterre.frontend.client;

import java.time.Duration;

/**
 * The history of a watch of the cluster map, which determines what the next stream asks for.
 * Immutable.
 *
 * @param failures streams in a row that ended without an update
 * @param wholeWanted whether the next stream asks for the whole map
 * @param wholeAskedNanos monotonic time at which the whole map was last asked for
 */
record WatchProgress(int failures, boolean wholeWanted, long wholeAskedNanos) {
    /** A whole map is large, and nodes correct most of what is out of date. */
    private static final Duration WHOLE_INTERVAL_MIN = Duration.ofSeconds(1);

    static WatchProgress atStart(long nowNanos) {
        return new WatchProgress(0, true, nowNanos - WHOLE_INTERVAL_MIN.toNanos());
    }

    /**
     * Returns the state after a stream was opened, which asks for the whole map if that is wanted.
     */
    WatchProgress opened(long nowNanos) {
        return wholeWanted ? new WatchProgress(failures, true, nowNanos) : this;
    }

    /** Returns whether the whole map may be asked for again: at most once a second. */
    boolean mayRefresh(long nowNanos) {
        return nowNanos - wholeAskedNanos >= WHOLE_INTERVAL_MIN.toNanos();
    }

    /** Returns the state after the map was found out of date: the whole map is wanted. */
    WatchProgress refreshed(long nowNanos) {
        return new WatchProgress(failures, true, nowNanos);
    }

    /**
     * Returns the state after an update.
     *
     * @param whole whether the update is the whole map
     */
    WatchProgress updated(boolean whole) {
        return new WatchProgress(0, wholeWanted && !whole, wholeAskedNanos);
    }

    /** Returns the state after the end of a stream. */
    WatchProgress ended() {
        return new WatchProgress(failures + 1, wholeWanted, wholeAskedNanos);
    }
}
