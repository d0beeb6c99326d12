package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
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

    /** As the managers know each other, with no data folder named. */
    public ClusterManager manager() {
        return new ClusterManager(nodeId, raftAddress, serviceAddress, "");
    }

    HostAndPort raft() {
        return HostAndPort.parse(raftAddress);
    }
}
