/**
 * Decisions about comparing the members of a range: when, at which log entry, and what follows from
 * the answers. Pure: no disk, network, clock or randomness. Asking the members is the business of
 * {@code Comparer}, taking a checksum that of {@code rpc.ReplicaDigests}. Start with {@link
 * io.parterre.server.compare.ComparisonVerdict}.
 */
package io.parterre.server.compare;
