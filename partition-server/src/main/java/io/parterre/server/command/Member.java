package io.parterre.server.command;

import io.parterre.range.NodeId;

/**
 * A node that holds a replica. Immutable.
 *
 * @param raftAddress host:port of its Raft server
 * @param serviceAddress host:port of its services; empty: not known, in data of older software
 */
public record Member(NodeId nodeId, String raftAddress, String serviceAddress) {}
