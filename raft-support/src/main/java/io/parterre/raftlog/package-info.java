/**
 * Checks of a Raft log that servers and managers make before they open it: the last written segment
 * ends whole, with a torn write, or damaged. A whole log is opened, a torn end is cut off, a
 * damaged log is refused. {@link io.parterre.raftlog.VoteFile} keeps the term and vote. Start with
 * {@link io.parterre.raftlog.LogTail}.
 */
package io.parterre.raftlog;
