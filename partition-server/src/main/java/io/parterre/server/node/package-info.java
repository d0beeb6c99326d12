/**
 * The replicas that a node holds: how they are found at a start, added, rebuilt, quarantined and
 * removed, what they do with each other, and what is done about all of them again and again. Waits
 * for the disk and for Ratis, under the lock that {@code ReplicaNode} describes. Knows Raft groups
 * by the names of their ranges; Ratis is the business of {@code raft}. Start with {@link
 * io.parterre.server.node.Replicas}.
 */
package io.parterre.server.node;
