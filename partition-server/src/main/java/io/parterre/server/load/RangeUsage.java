package io.parterre.server.load;

/**
 * A range's requests under way of one kind. Immutable.
 *
 * @param requests requests accepted and not yet answered
 * @param bytes bytes of these requests
 * @param waitNanos average recent time from accepting a request to its answer
 */
public record RangeUsage(int requests, long bytes, long waitNanos) {}
