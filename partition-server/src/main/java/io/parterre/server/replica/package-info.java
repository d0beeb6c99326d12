/**
 * Log entries as they take effect on a replica's rows: in slices, within the node's memory, with
 * what they mean for the node and its other replicas, and waits for a neighbour meanwhile. Knows no
 * Raft group. Start with {@code AppliedRows}; what a replica asks of its node is {@code
 * NodeActions}.
 */
package io.parterre.server.replica;
