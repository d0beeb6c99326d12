/**
 * Checks of a Raft log before a server or manager opens it. The segment that was written last ends
 * whole, with a torn write, or damaged. A whole log is opened, a torn end is cut off, a damaged log
 * is refused. {@link io.parterre.raftlog.VoteFile} keeps the term and vote. Start with {@link
 * io.parterre.raftlog.LogTail}.
 */
package io.parterre.raftlog;
