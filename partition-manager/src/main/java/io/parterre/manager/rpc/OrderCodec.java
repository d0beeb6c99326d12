package io.parterre.manager.rpc;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageOrBuilder;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.progress.Order;
import io.parterre.proto.manager.Node;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;

/** Fills a message with an order. The returned values are not used. Not thread-safe. */
record OrderCodec(io.parterre.proto.manager.Order.Builder message)
        implements Order.Cases<MessageOrBuilder> {
    static io.parterre.proto.manager.Order toProto(Order order) {
        OrderCodec codec = new OrderCodec(io.parterre.proto.manager.Order.newBuilder());
        order.match(codec);
        return codec.message.build();
    }

    @Override
    public MessageOrBuilder host(Order.HostReplica host) {
        return message.getHostReplicaBuilder()
                .setRange(DescriptorCodec.toProto(host.range()))
                .addAllMembers(nodes(host.nodes()));
    }

    @Override
    public MessageOrBuilder join(Order.JoinReplica join) {
        return message.getJoinReplicaBuilder()
                .setRange(DescriptorCodec.toProto(join.range()))
                .addAllMembers(nodes(join.nodes()));
    }

    @Override
    public MessageOrBuilder change(Order.ChangeMembers change) {
        return message.getChangeMembersBuilder()
                .setRangeId(change.rangeId().value())
                .setGeneration(change.generation().value())
                .addAllMembers(nodes(change.nodes()));
    }

    @Override
    public MessageOrBuilder transfer(Order.TransferLead transfer) {
        return message.getTransferLeadBuilder()
                .setRangeId(transfer.rangeId().value())
                .setGeneration(transfer.generation().value())
                .setNodeId(transfer.to().value());
    }

    @Override
    public MessageOrBuilder remove(Order.RemoveReplica remove) {
        return message.getRemoveReplicaBuilder()
                .setRangeId(remove.rangeId().value())
                .setGeneration(remove.generation().value());
    }

    @Override
    public MessageOrBuilder split(Order.SplitRange split) {
        List<Long> children = split.childIds().stream().map(RangeId::value).toList();
        return message.getSplitRangeBuilder()
                .setRangeId(split.rangeId().value())
                .setGeneration(split.generation().value())
                .setSplitPoint(
                        split.splitPoint()
                                .map(splitPoint -> ByteString.copyFrom(splitPoint.unsafeBytes()))
                                .orElse(ByteString.EMPTY))
                .setChildRangeId(children.get(0))
                .addAllFurtherChildRangeIds(children.subList(1, children.size()))
                .setChildLeader(split.childLeader().map(NodeId::value).orElse(""));
    }

    @Override
    public MessageOrBuilder merge(Order.MergeRanges merge) {
        return message.getMergeRangesBuilder()
                .setLeftRangeId(merge.leftId().value())
                .setLeftGeneration(merge.leftGeneration().value())
                .setRightRangeId(merge.rightId().value())
                .setRightGeneration(merge.rightGeneration().value());
    }

    @Override
    public MessageOrBuilder thaw(Order.ThawRange thaw) {
        return message.getThawRangeBuilder()
                .setRangeId(thaw.rangeId().value())
                .setGeneration(thaw.generation().value());
    }

    @Override
    public MessageOrBuilder rebuildStore(Order.RebuildStore rebuildStore) {
        return message.getRebuildStoreBuilder().setIncarnation(rebuildStore.incarnation());
    }

    @Override
    public MessageOrBuilder recover(Order.RecoverRange recover) {
        return message.getRecoverRangeBuilder()
                .setLostRangeId(recover.lostId().value())
                .setRange(DescriptorCodec.toProto(recover.range()))
                .addAllMembers(nodes(recover.nodes()));
    }

    @Override
    public MessageOrBuilder quarantine(Order.QuarantineReplica quarantine) {
        return message.getQuarantineReplicaBuilder()
                .setRangeId(quarantine.rangeId().value())
                .setGeneration(quarantine.generation().value())
                .setAcknowledgedIndex(quarantine.acknowledgedIndex())
                .setDiffersAt(quarantine.differsAt());
    }

    private static List<Node> nodes(List<ClusterNode> nodes) {
        return nodes.stream().map(MapValueCodec::toProto).toList();
    }
}
