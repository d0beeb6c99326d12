/**
 * Commands on their way into the log, and why they are refused before. No I/O. Packing and handing
 * them to Raft is the business of {@code raft}. Start with {@code Proposal}.
 */
package io.parterre.server.propose;
