package io.parterre.manager.map;

import io.parterre.key.AccountId;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.ManagerNode;
import io.parterre.proto.manager.Node;
import io.parterre.range.NodeId;

/** Converts nodes, managers and accounts to messages and back. Stateless and thread-safe. */
public final class MapValueCodec {
    private MapValueCodec() {}

    public static Node toProto(ClusterNode node) {
        return Node.newBuilder()
                .setNodeId(node.nodeId().value())
                .setServiceAddress(node.serviceAddress())
                .setRaftAddress(node.raftAddress())
                .setZone(node.zone())
                .setVersion(node.version())
                .setIncarnation(node.incarnation())
                .setState(toProto(node.state()))
                .build();
    }

    /**
     * Reads a node.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static ClusterNode fromProto(Node message) {
        return new ClusterNode(
                new NodeId(message.getNodeId()),
                message.getServiceAddress(),
                message.getRaftAddress(),
                message.getZone(),
                message.getVersion(),
                message.getIncarnation(),
                fromProto(message.getState()));
    }

    public static ManagerNode toProto(ClusterManager manager) {
        return ManagerNode.newBuilder()
                .setNodeId(manager.nodeId().value())
                .setRaftAddress(manager.raftAddress())
                .setServiceAddress(manager.serviceAddress())
                .setIncarnation(manager.incarnation())
                .build();
    }

    /**
     * Reads a manager.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static ClusterManager fromProto(ManagerNode message) {
        return new ClusterManager(
                new NodeId(message.getNodeId()),
                message.getRaftAddress(),
                message.getServiceAddress(),
                message.getIncarnation());
    }

    static io.parterre.proto.manager.NodeState toProto(NodeState state) {
        return switch (state) {
            case ACTIVE -> io.parterre.proto.manager.NodeState.NODE_STATE_UNSPECIFIED;
            case LEADERSHIP_DRAINED -> io.parterre.proto.manager.NodeState.LEADERSHIP_DRAINED;
            case DRAINING -> io.parterre.proto.manager.NodeState.DRAINING;
            case DECOMMISSIONING -> io.parterre.proto.manager.NodeState.DECOMMISSIONING;
            case REMOVED -> io.parterre.proto.manager.NodeState.REMOVED;
        };
    }

    static NodeState fromProto(io.parterre.proto.manager.NodeState state) {
        return switch (state) {
            case NODE_STATE_UNSPECIFIED -> NodeState.ACTIVE;
            case LEADERSHIP_DRAINED -> NodeState.LEADERSHIP_DRAINED;
            case DRAINING -> NodeState.DRAINING;
            case DECOMMISSIONING -> NodeState.DECOMMISSIONING;
            case REMOVED -> NodeState.REMOVED;
            case UNRECOGNIZED -> throw new IllegalArgumentException("node state: not known here");
        };
    }

    public static Account toProto(ClusterAccount account) {
        Account.Builder message =
                Account.newBuilder()
                        .setAccountId(account.accountId().value())
                        .setName(account.name().value())
                        .setSuspended(account.suspended())
                        .setCreated(account.origin() == AccountOrigin.CREATED);
        return StoredKeyCodec.anyEncrypted(account.keys())
                ? message.addAllStoredKeys(StoredKeyCodec.toProto(account.keys())).build()
                : message.addAllKeys(StoredKeyCodec.clear(account.keys())).build();
    }

    /**
     * Reads an account.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    public static ClusterAccount fromProto(Account message) {
        return new ClusterAccount(
                new AccountId(message.getAccountId()),
                new AccountName(message.getName()),
                StoredKeyCodec.fromProto(message.getKeysList(), message.getStoredKeysList()),
                message.getSuspended(),
                message.getCreated() ? AccountOrigin.CREATED : AccountOrigin.CONFIGURED);
    }
}
