package io.parterre.server.load;

/**
 * Counts of a range's load since its replica began. Immutable.
 *
 * @param bytes bytes of requests and answers
 * @param refused calls that the range could not keep up with
 * @param cpuNanos processor time
 */
public record LoadTotals(long reads, long writes, long bytes, long refused, long cpuNanos) {}
