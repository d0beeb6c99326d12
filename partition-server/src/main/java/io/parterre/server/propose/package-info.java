/**
 * Commands on their way into the log, and reasons to refuse them before. No I/O. Package {@code
 * raft} packs commands and submits them to Raft. Start with {@code Proposal}.
 */
package io.parterre.server.propose;
