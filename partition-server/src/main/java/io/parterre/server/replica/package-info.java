/**
 * Log entries as they take effect on a replica's rows: in slices, within the node's memory, with
 * effects on the node and its other replicas, and with waits for a neighbour. Knows no Raft group.
 * Start with {@code AppliedRows}; {@code NodeActions} is what a replica asks of its node.
 */
package io.parterre.server.replica;
