package io.parterre.server.raft;

import io.parterre.range.NodeId;

/**
 * A node that holds a replica.
 *
 * @param raftAddress host:port of its Raft server
 */
public record Member(NodeId nodeId, String raftAddress) {}
