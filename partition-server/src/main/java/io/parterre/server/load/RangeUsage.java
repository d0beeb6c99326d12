package io.parterre.server.load;

/**
 * What a range has under way of a kind.
 *
 * @param requests taken and not yet answered
 * @param bytes of those
 * @param waitNanos from taking one to its answer: the latest ones, on average
 */
public record RangeUsage(int requests, long bytes, long waitNanos) {}
