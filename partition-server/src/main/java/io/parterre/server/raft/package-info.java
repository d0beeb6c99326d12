/**
 * Replicas as members of Raft groups: proposing commands, applying committed entries, keeping and
 * dropping logs, configuring groups. The only package of the role that knows Ratis. Package {@code
 * node} decides which replicas there are, {@code lead} changes ranges, and {@code apply} defines
 * the effect of a command. What a replica asks of its node goes through {@link
 * io.parterre.server.replica.NodeActions}. Start with {@link io.parterre.server.raft.Replica}.
 */
package io.parterre.server.raft;
