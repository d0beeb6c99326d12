/**
 * Replicas as members of Raft groups: hosting them, proposing commands, applying what was
 * committed, changing their members. The only package of the role that knows Ratis. What needs no
 * Ratis lives in the rooms beside: {@code rows}, {@code copy}, {@code quarantine}, {@code read},
 * {@code members}, {@code clock}, {@code log}, {@code propose}. What a command does is the business
 * of {@code apply}. Start with {@code Replicas}.
 */
package io.parterre.server.raft;
