/**
 * Log entries as they take effect on a replica's rows: in slices, within the node's memory, with
 * what they mean for the node and its other replicas. Knows no Raft group.
 */
package io.parterre.server.replica;
