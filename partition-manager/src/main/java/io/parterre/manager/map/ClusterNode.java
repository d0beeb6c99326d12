package io.parterre.manager.map;

import io.parterre.range.NodeId;

/**
 * A node as the map knows it. Whether it is alive is not part of the map: that is soft state of the
 * leader.
 *
 * @param serviceAddress host:port of its range service
 * @param raftAddress host:port of its Raft server
 * @param zone where it stands, for spreading replicas; may be empty
 * @param version release it runs; may be empty
 * @param incarnation made with its data folder: another one means that what the node held is lost;
 *     may be empty
 * @param state what operators want of it; never by the node's own word
 */
public record ClusterNode(
        NodeId nodeId,
        String serviceAddress,
        String raftAddress,
        String zone,
        String version,
        String incarnation,
        NodeState state) {
    private static final int TEXT_LENGTH_MAX = 512;

    public ClusterNode {
        checked("serviceAddress", serviceAddress, 1);
        checked("raftAddress", raftAddress, 1);
        checked("zone", zone, 0);
        checked("version", version, 0);
        checked("incarnation", incarnation, 0);
    }

    /** A node in use that tells of no incarnation. */
    public ClusterNode(
            NodeId nodeId, String serviceAddress, String raftAddress, String zone, String version) {
        this(nodeId, serviceAddress, raftAddress, zone, version, "", NodeState.ACTIVE);
    }

    public ClusterNode withState(NodeState other) {
        return new ClusterNode(
                nodeId, serviceAddress, raftAddress, zone, version, incarnation, other);
    }

    /** Of nodes and managers alike. */
    static void checked(String what, String text, int lengthMin) {
        if (text.length() < lengthMin || text.length() > TEXT_LENGTH_MAX) {
            throw new IllegalArgumentException(
                    what
                            + ": '"
                            + text
                            + "' (expected: "
                            + lengthMin
                            + ".."
                            + TEXT_LENGTH_MAX
                            + " characters)");
        }
    }
}
