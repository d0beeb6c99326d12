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
        int colon = raftAddress.lastIndexOf(':');
        if (colon <= 0 || !raftAddress.substring(colon + 1).matches("\\d{1,5}")) {
            throw new IllegalArgumentException(
                    "raftAddress: '" + raftAddress + "' (expected: host:port)");
        }
    }

    String raftHost() {
        return raftAddress.substring(0, raftAddress.lastIndexOf(':'));
    }

    int raftPort() {
        return Integer.parseInt(raftAddress.substring(raftAddress.lastIndexOf(':') + 1));
    }
}
