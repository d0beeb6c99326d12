package io.parterre.manager.map;

import com.google.protobuf.ByteString;
import io.parterre.key.AccountId;
import io.parterre.proto.manager.Account;
import io.parterre.proto.manager.Node;
import io.parterre.range.NodeId;

/** Nodes and accounts as messages. Stateless; safe for any thread. */
public final class MapValueCodec {
    private MapValueCodec() {}

    public static Node toProto(ClusterNode node) {
        return Node.newBuilder()
                .setNodeId(node.nodeId().value())
                .setServiceAddress(node.serviceAddress())
                .setRaftAddress(node.raftAddress())
                .setZone(node.zone())
                .setVersion(node.version())
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
                message.getVersion());
    }

    public static Account toProto(ClusterAccount account) {
        return Account.newBuilder()
                .setAccountId(account.accountId().value())
                .setName(account.name().value())
                .addAllKeys(
                        account.keys().stream()
                                .map(key -> ByteString.copyFrom(key.toBytes()))
                                .toList())
                .setSuspended(account.suspended())
                .build();
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
                message.getKeysList().stream().map(MapValueCodec::key).toList(),
                message.getSuspended());
    }

    static AccountKey key(ByteString bytes) {
        return AccountKey.of(bytes.toByteArray());
    }
}
