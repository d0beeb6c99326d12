/**
 * Decisions about comparing the members of a range: when, at which log entry, and what follows from
 * the answers. Pure: no disk, network, clock or randomness. {@code Comparer} asks the members,
 * {@code rpc.ReplicaDigests} computes digests. Start with {@link
 * io.parterre.server.compare.ComparisonVerdict}.
 */
package io.parterre.server.compare;
