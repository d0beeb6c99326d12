/**
 * Replicas as members of Raft groups: proposing commands, applying what was committed, keeping and
 * dropping logs, configuring groups. The only package of the role that knows Ratis. Which replicas
 * there are is the business of {@code node}, changing ranges that of {@code lead}, what a command
 * does that of {@code apply}; what a replica asks of its node goes through {@link
 * io.parterre.server.replica.NodeActions}. Start with {@link io.parterre.server.raft.Replica}.
 */
package io.parterre.server.raft;
