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
 */
public record ClusterNode(
        NodeId nodeId, String serviceAddress, String raftAddress, String zone, String version) {
    private static final int TEXT_LENGTH_MAX = 512;

    public ClusterNode {
        checked("serviceAddress", serviceAddress, 1);
        checked("raftAddress", raftAddress, 1);
        checked("zone", zone, 0);
        checked("version", version, 0);
    }

    private static void checked(String what, String text, int lengthMin) {
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
