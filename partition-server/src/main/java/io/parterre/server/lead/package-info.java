/**
 * Changes of the ranges that a node leads: members, leadership, splits, merges, old fences, and log
 * time that is ahead. Carries out what the drivers of {@code change} say, one change of a range at
 * a time. A split waits for the disk while it searches for split points; nothing else here blocks.
 * Knows replicas and Raft groups only as {@link io.parterre.server.lead.LedReplica} and {@link
 * io.parterre.server.lead.GroupMembers}. Start with {@link io.parterre.server.lead.LedRanges}.
 */
package io.parterre.server.lead;
