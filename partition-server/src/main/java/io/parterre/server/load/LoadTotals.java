package io.parterre.server.load;

/**
 * What was counted of a range since its replica began.
 *
 * @param bytes of requests and answers
 * @param refused calls that it could not keep up with
 * @param cpuNanos time of processors
 */
public record LoadTotals(long reads, long writes, long bytes, long refused, long cpuNanos) {}
