package io.parterre.manager.raft;

import io.parterre.range.NodeId;

/**
 * One partition manager of the group.
 *
 * @param raftAddress host:port of its Raft server; port 0 takes a free one, which serves a group of
 *     one
 * @param serviceAddress host:port under which nodes and front ends reach it
 */
public record ManagerMember(NodeId nodeId, String raftAddress, String serviceAddress) {
    public ManagerMember {
        HostAndPort.parse(raftAddress);
    }

    HostAndPort raft() {
        return HostAndPort.parse(raftAddress);
    }
}
