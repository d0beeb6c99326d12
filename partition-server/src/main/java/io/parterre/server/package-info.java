/**
 * The partition server: keeps replicas of ranges, one Raft group per range, one store per server.
 * This package only wires the others and talks to the partition manager. Start with {@link
 * io.parterre.server.PartitionServer}.
 */
package io.parterre.server;
