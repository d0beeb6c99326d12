package io.parterre.server.apply;

/**
 * A range's clock as seen from outside of its state. Immutable.
 *
 * @param nowTicks log time; {@code Long.MIN_VALUE} if nothing was applied yet
 * @param lastTimestampTicks latest timestamp that was given; {@code Long.MIN_VALUE} if none was
 */
public record RangeTime(long nowTicks, long lastTimestampTicks) {
    /** Returns an upper bound of all timestamps and log times since the time was last set back. */
    public long latestTicks() {
        return Math.max(nowTicks, lastTimestampTicks);
    }

    /**
     * Decodes the clock that a range remembers.
     *
     * @param row an own row of kind {@link OwnKey.Kind#CLOCK}
     * @throws IllegalArgumentException if the row is malformed or of an unknown version
     */
    public static RangeTime ofRow(byte[] row) {
        RangeClock clock = RangeClock.decode(row);
        return new RangeTime(clock.nowTicks(), clock.lastTimestampTicks());
    }
}
