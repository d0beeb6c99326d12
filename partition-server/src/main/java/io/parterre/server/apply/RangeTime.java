package io.parterre.server.apply;

/**
 * A range's clock, for those who look at it from outside.
 *
 * @param nowTicks time as the log tells it; {@code Long.MIN_VALUE}: nothing was applied yet
 * @param lastTimestampTicks latest timestamp that was given; {@code Long.MIN_VALUE}: none
 */
public record RangeTime(long nowTicks, long lastTimestampTicks) {
    /** No timestamp is later, nor was the time, since it was last set back. */
    public long latestTicks() {
        return Math.max(nowTicks, lastTimestampTicks);
    }

    /**
     * The clock that a range remembers.
     *
     * @param row of the range's own, of kind {@link OwnKey.Kind#CLOCK}
     * @throws IllegalArgumentException if it is malformed or of an unknown version
     */
    public static RangeTime ofRow(byte[] row) {
        RangeClock clock = RangeClock.decode(row);
        return new RangeTime(clock.nowTicks(), clock.lastTimestampTicks());
    }
}
