package io.parterre.manager.raft;

import io.parterre.manager.map.ClusterManager;
import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;

/**
 * Managers as Ratis has them. A peer's id is that of the manager and its data folder: one that
 * comes back with another folder is another peer, which has never voted, and whose address is asked
 * for again. The address for clients, which nobody connects to here, carries the service address,
 * so that a configuration says all that is to be known of its members. Stateless; safe for any
 * thread.
 */
final class GroupPeers {
    /** In no manager's id. */
    private static final char FOLDER_MARK = '~';

    private GroupPeers() {}

    static RaftPeerId id(ClusterManager manager) {
        String nodeId = manager.nodeId().value();
        return RaftPeerId.valueOf(
                manager.incarnation().isEmpty()
                        ? nodeId
                        : nodeId + FOLDER_MARK + manager.incarnation());
    }

    /** The manager behind a peer's id. */
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

    /** Without incarnation and service address if it is from before those were kept. */
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
