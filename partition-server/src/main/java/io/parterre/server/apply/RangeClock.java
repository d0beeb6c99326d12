package io.parterre.server.apply;

import java.nio.ByteBuffer;

/**
 * Time as the range's log tells it. Timestamps grow strictly within a range, also over deletion and
 * re-creation of an entity and over leaders whose clocks lag: an ETag never returns. Not
 * thread-safe.
 */
final class RangeClock {
    private static final byte VERSION = 1;
    private static final int LENGTH_BYTES = 1 + 2 * Long.BYTES;

    private long lastTimestampTicks;
    private long nowTicks;

    RangeClock() {
        this(Long.MIN_VALUE, Long.MIN_VALUE);
    }

    private RangeClock(long lastTimestampTicks, long nowTicks) {
        this.lastTimestampTicks = lastTimestampTicks;
        this.nowTicks = nowTicks;
    }

    /** Takes the stamp of the next entry; the range's time never goes back. */
    void advance(long stampTicks) {
        nowTicks = Math.max(nowTicks, stampTicks);
    }

    /** Time of the entry being applied. */
    long nowTicks() {
        return nowTicks;
    }

    long lastTimestampTicks() {
        return lastTimestampTicks;
    }

    /** Records the greatest timestamp that was given to an entity. */
    void used(long timestampTicks) {
        lastTimestampTicks = timestampTicks;
    }

    /** From here on nothing is before what another range's clock has told. */
    void join(RangeClock other) {
        nowTicks = Math.max(nowTicks, other.nowTicks);
        lastTimestampTicks = Math.max(lastTimestampTicks, other.lastTimestampTicks);
    }

    byte[] encode() {
        return ByteBuffer.allocate(LENGTH_BYTES)
                .put(VERSION)
                .putLong(lastTimestampTicks)
                .putLong(nowTicks)
                .array();
    }

    static RangeClock decode(byte[] bytes) {
        if (bytes.length != LENGTH_BYTES || bytes[0] != VERSION) {
            throw new IllegalArgumentException("clock row: malformed or of unknown version");
        }
        ByteBuffer in = ByteBuffer.wrap(bytes, 1, LENGTH_BYTES - 1);
        return new RangeClock(in.getLong(), in.getLong());
    }
}
