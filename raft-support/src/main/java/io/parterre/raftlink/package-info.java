/**
 * What stands between the members of Raft groups. Ratis never gives up a connection by itself:
 * {@link io.parterre.raftlink.LinkRenewal} decides which are renewed; {@link
 * io.parterre.raftlink.RaftLinks} looks and does it, on a thread of its own. {@link
 * io.parterre.raftlink.VoteGuard} has votes wait that Ratis would give too early.
 */
package io.parterre.raftlink;
