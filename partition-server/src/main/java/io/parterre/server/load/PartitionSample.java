package io.parterre.server.load;

import io.parterre.key.Key;

/**
 * An operation on a partition, drawn by chance from all of them.
 *
 * @param partition prefix of all its keys
 * @param sequence larger than that of any sample drawn before
 */
public record PartitionSample(Key partition, long sequence) {}
