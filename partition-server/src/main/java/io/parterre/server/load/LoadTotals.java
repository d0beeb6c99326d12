package io.parterre.server.load;

/**
 * What was counted of a range since its replica began.
 *
 * @param bytes of requests and answers
 * @param refused calls that it could not keep up with
 */
public record LoadTotals(long reads, long writes, long bytes, long refused) {}
