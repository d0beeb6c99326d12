package io.parterre.server.log;

import java.time.Duration;

/**
 * How long a log has stood still while it had something to write: a disk that hangs gives no error.
 * A slow one moves on, however little, and begins again with each sync.
 *
 * @param syncedIndex last entry that was synced when it was looked at
 * @param sinceNanos when it was first seen to be that one
 * @param waiting whether there was more to sync
 */
public record LogBacklog(long syncedIndex, long sinceNanos, boolean waiting) {
    public static final LogBacklog NONE = new LogBacklog(-1, 0, false);

    /** What is known after another look. */
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
