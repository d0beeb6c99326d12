package io.parterre.server.command;

import io.parterre.range.NodeId;

/**
 * A node that holds a replica.
 *
 * @param raftAddress host:port of its Raft server
 * @param serviceAddress host:port of its services; empty: not known, in what older software wrote
 */
public record Member(NodeId nodeId, String raftAddress, String serviceAddress) {}
