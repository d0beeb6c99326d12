/**
 * What a node does about the ranges that it leads: other members, another leader, splits, merges,
 * old fences, log time that is ahead. Carries out what the drivers of {@code change} say, one
 * change of a range at a time. A split waits for the disk while it chooses where; nothing else here
 * blocks. Knows replicas and Raft groups by {@link io.parterre.server.lead.LedReplica} and {@link
 * io.parterre.server.lead.GroupMembers} alone. Start with {@link
 * io.parterre.server.lead.LedRanges}.
 */
package io.parterre.server.lead;
