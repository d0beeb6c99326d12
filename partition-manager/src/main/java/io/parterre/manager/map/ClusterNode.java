package io.parterre.manager.map;

import io.parterre.range.NodeId;

/**
 * A node in the map. Its liveness is not part of the map, but soft state of the leader. Immutable.
 *
 * @param serviceAddress host:port of its range service
 * @param raftAddress host:port of its Raft server
 * @param zone its zone, for spreading replicas; may be empty
 * @param version release it runs; may be empty
 * @param incarnation made with its data folder; another incarnation means that the node's former
 *     data is lost. May be empty
 * @param state set by operators, never reported by the node
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

    /** Creates a node in use without an incarnation. */
    public ClusterNode(
            NodeId nodeId, String serviceAddress, String raftAddress, String zone, String version) {
        this(nodeId, serviceAddress, raftAddress, zone, version, "", NodeState.ACTIVE);
    }

    public ClusterNode withState(NodeState other) {
        return new ClusterNode(
                nodeId, serviceAddress, raftAddress, zone, version, incarnation, other);
    }

    /**
     * Checks a text of nodes or managers.
     *
     * @throws IllegalArgumentException if it is too short or too long
     */
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
