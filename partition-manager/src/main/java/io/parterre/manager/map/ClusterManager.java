package io.parterre.manager.map;

import io.parterre.range.NodeId;

/**
 * A partition manager as the managers know each other. Immutable.
 *
 * @param raftAddress host:port of its Raft server
 * @param serviceAddress host:port of its services
 * @param incarnation made with its data folder; another incarnation means that its votes are
 *     forgotten. Empty if not known
 */
public record ClusterManager(
        NodeId nodeId, String raftAddress, String serviceAddress, String incarnation) {
    public ClusterManager {
        ClusterNode.checked("raftAddress", raftAddress, 1);
        ClusterNode.checked("serviceAddress", serviceAddress, 0);
        ClusterNode.checked("incarnation", incarnation, 0);
    }

    public ClusterManager withIncarnation(String other) {
        return new ClusterManager(nodeId, raftAddress, serviceAddress, other);
    }

    /** Returns whether both have the same addresses. */
    public boolean hasAddressesOf(ClusterManager other) {
        return raftAddress.equals(other.raftAddress) && serviceAddress.equals(other.serviceAddress);
    }

    /** Returns the text form for logs and people. */
    @Override
    public String toString() {
        return nodeId + "=" + raftAddress + "/" + serviceAddress;
    }
}
