/**
 * The partition server: keeps replicas of ranges, one Raft group per range, one store per server.
 * This package only wires the other packages and communicates with the partition manager. Start
 * with {@link io.parterre.server.PartitionServer}.
 */
package io.parterre.server;
