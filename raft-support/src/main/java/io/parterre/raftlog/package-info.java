/**
 * What servers and managers check of a Raft log before they open it: whether the end of the segment
 * that was written to last is whole, the rest of a write that was cut short, or damage. Only the
 * first two are gone on with. Also what keeps a term and vote, {@link
 * io.parterre.raftlog.VoteFile}. Start with {@link io.parterre.raftlog.LogTail}.
 */
package io.parterre.raftlog;
