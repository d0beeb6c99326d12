package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Converts managers to Ratis peers and back. A peer's id is made of the manager's id and its data
 * folder: a manager that returns with another folder is another peer, which has never voted, and
 * whose address is asked for again. The address for Ratis clients, which nothing connects to here,
 * carries the service address, so that a configuration describes its members completely. Stateless
 * and thread-safe.
 */
final class GroupPeers {
    /** Occurs in no manager's id. */
    private static final char FOLDER_MARK = '~';

    private GroupPeers() {}

    static RaftPeerId id(ClusterManager manager) {
        String nodeId = manager.nodeId().value();
        return RaftPeerId.valueOf(
                manager.incarnation().isEmpty()
                        ? nodeId
                        : nodeId + FOLDER_MARK + manager.incarnation());
    }

    /** Returns the manager of a peer's id. */
    static NodeId nodeId(String peerId) {
        int mark = peerId.indexOf(FOLDER_MARK);
        return new NodeId(mark < 0 ? peerId : peerId.substring(0, mark));
    }

    static List<RaftPeer> of(Collection<ClusterManager> managers) {
        return managers.stream().map(GroupPeers::peer).toList();
    }

    private static RaftPeer peer(ClusterManager manager) {
        return RaftPeer.newBuilder()
                .setId(id(manager))
                .setAddress(manager.raftAddress())
                .setClientAddress(manager.serviceAddress())
                .build();
    }

    /**
     * Returns the manager of a peer, without incarnation and service address if the peer is from
     * before configurations held these.
     */
    static ClusterManager manager(RaftPeer peer) {
        return new ClusterManager(
                nodeId(peer.getId().toString()),
                peer.getAddress(),
                Optional.ofNullable(peer.getClientAddress()).orElse(""),
                incarnation(peer.getId().toString()));
    }

    private static String incarnation(String peerId) {
        int mark = peerId.indexOf(FOLDER_MARK);
        return mark < 0 ? "" : peerId.substring(mark + 1);
    }
}
