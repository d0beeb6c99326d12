package io.parterre.server.load;

import io.parterre.key.Key;

/**
 * An operation on a partition, drawn at random from all operations. Immutable.
 *
 * @param partition prefix of the partition's keys
 * @param sequence larger than that of any earlier sample
 */
public record PartitionSample(Key partition, long sequence) {}
