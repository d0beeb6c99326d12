package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.range.NodeId;

/**
 * One partition manager of the group.
 *
 * @param raftAddress host:port of its Raft server; port 0 stands for a free one, which suffices for
 *     a group of one
 * @param serviceAddress host:port at which nodes and front ends reach it
 */
public record ManagerMember(NodeId nodeId, String raftAddress, String serviceAddress) {
    public ManagerMember {
        HostAndPort.parse(raftAddress);
    }

    /** Returns the manager without an incarnation. */
    public ClusterManager manager() {
        return new ClusterManager(nodeId, raftAddress, serviceAddress, "");
    }

    HostAndPort raft() {
        return HostAndPort.parse(raftAddress);
    }
}
