/**
 * Replicas as members of Raft groups: hosting them, proposing commands, applying what was
 * committed, and the question whether this node may answer a read. The only package that knows
 * Ratis. What a command does is the business of {@code apply}. Start with {@code Replicas}.
 */
package io.parterre.server.raft;
