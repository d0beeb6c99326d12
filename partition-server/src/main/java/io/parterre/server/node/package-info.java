/**
 * The replicas that a node holds: how they are found at a start, added, rebuilt, quarantined and
 * removed, how they work together, and the periodic work on them. Waits for the disk and for Ratis,
 * under the lock that {@code ReplicaNode} describes. Knows Raft groups by the names of their
 * ranges; only package {@code raft} knows Ratis. Start with {@link
 * io.parterre.server.node.Replicas}.
 */
package io.parterre.server.node;
