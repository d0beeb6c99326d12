package io.parterre.server.log;

import java.time.Duration;

/**
 * How long a log has stood still while it had something to write: a disk that hangs gives no error.
 * The log of a slow disk makes progress, however little, and the time begins again with each sync.
 *
 * @param syncedIndex last synced entry at the last check
 * @param sinceNanos time at which that entry was first seen as the last synced one
 * @param waiting whether there was more to sync
 */
public record LogBacklog(long syncedIndex, long sinceNanos, boolean waiting) {
    public static final LogBacklog NONE = new LogBacklog(-1, 0, false);

    /** Returns the backlog after another check. */
    public LogBacklog next(long synced, long last, long nowNanos) {
        if (synced >= last) {
            return NONE;
        }
        return waiting && synced == syncedIndex ? this : new LogBacklog(synced, nowNanos, true);
    }

    public Duration age(long nowNanos) {
        return waiting ? Duration.ofNanos(nowNanos - sinceNanos) : Duration.ZERO;
    }
}
