package io.parterre.server.apply;

/**
 * A range's clock, for those who look at it from outside.
 *
 * @param nowTicks time as the log tells it; {@code Long.MIN_VALUE}: nothing was applied yet
 * @param lastTimestampTicks latest timestamp that was given; {@code Long.MIN_VALUE}: none
 */
public record RangeTime(long nowTicks, long lastTimestampTicks) {}
