/**
 * How much of a range's Raft log is kept, and the memory for it. Knows nothing of Ratis's files,
 * which package {@code raft} handles. Start with {@code LogRetention}.
 */
package io.parterre.server.log;
