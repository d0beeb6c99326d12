package io.parterre.manager.rpc;

import com.google.protobuf.ByteString;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.proto.manager.ChangeMembers;
import io.parterre.proto.manager.HostReplica;
import io.parterre.proto.manager.JoinReplica;
import io.parterre.proto.manager.MergeRanges;
import io.parterre.proto.manager.Node;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.QuarantineReplica;
import io.parterre.proto.manager.RebuildStore;
import io.parterre.proto.manager.RecoverRange;
import io.parterre.proto.manager.RemoveReplica;
import io.parterre.proto.manager.SplitRange;
import io.parterre.proto.manager.ThawRange;
import io.parterre.proto.manager.TransferLead;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;

/** Orders as messages. Stateless; safe for any thread. */
final class OrderCodec implements io.parterre.manager.plan.progress.Order.Cases<Order> {
    @Override
    public Order host(io.parterre.manager.plan.progress.Order.HostReplica host) {
        return Order.newBuilder()
                .setHostReplica(
                        HostReplica.newBuilder()
                                .setRange(DescriptorCodec.toProto(host.range()))
                                .addAllMembers(nodes(host.nodes())))
                .build();
    }

    @Override
    public Order join(io.parterre.manager.plan.progress.Order.JoinReplica join) {
        return Order.newBuilder()
                .setJoinReplica(
                        JoinReplica.newBuilder()
                                .setRange(DescriptorCodec.toProto(join.range()))
                                .addAllMembers(nodes(join.nodes())))
                .build();
    }

    @Override
    public Order change(io.parterre.manager.plan.progress.Order.ChangeMembers change) {
        return Order.newBuilder()
                .setChangeMembers(
                        ChangeMembers.newBuilder()
                                .setRangeId(change.rangeId().value())
                                .setGeneration(change.generation().value())
                                .addAllMembers(nodes(change.nodes())))
                .build();
    }

    @Override
    public Order transfer(io.parterre.manager.plan.progress.Order.TransferLead transfer) {
        return Order.newBuilder()
                .setTransferLead(
                        TransferLead.newBuilder()
                                .setRangeId(transfer.rangeId().value())
                                .setGeneration(transfer.generation().value())
                                .setNodeId(transfer.to().value()))
                .build();
    }

    @Override
    public Order remove(io.parterre.manager.plan.progress.Order.RemoveReplica remove) {
        return Order.newBuilder()
                .setRemoveReplica(
                        RemoveReplica.newBuilder()
                                .setRangeId(remove.rangeId().value())
                                .setGeneration(remove.generation().value()))
                .build();
    }

    @Override
    public Order split(io.parterre.manager.plan.progress.Order.SplitRange split) {
        return Order.newBuilder()
                .setSplitRange(
                        SplitRange.newBuilder()
                                .setRangeId(split.rangeId().value())
                                .setGeneration(split.generation().value())
                                .setCut(
                                        split.cut()
                                                .map(cut -> ByteString.copyFrom(cut.unsafeBytes()))
                                                .orElse(ByteString.EMPTY))
                                .setChildRangeId(split.childIds().get(0).value())
                                .addAllFurtherChildRangeIds(
                                        split.childIds().stream()
                                                .skip(1)
                                                .map(RangeId::value)
                                                .toList())
                                .setChildLeader(split.childLeader().map(NodeId::value).orElse("")))
                .build();
    }

    @Override
    public Order merge(io.parterre.manager.plan.progress.Order.MergeRanges merge) {
        return Order.newBuilder()
                .setMergeRanges(
                        MergeRanges.newBuilder()
                                .setLeftRangeId(merge.leftId().value())
                                .setLeftGeneration(merge.leftGeneration().value())
                                .setRightRangeId(merge.rightId().value())
                                .setRightGeneration(merge.rightGeneration().value()))
                .build();
    }

    @Override
    public Order thaw(io.parterre.manager.plan.progress.Order.ThawRange thaw) {
        return Order.newBuilder()
                .setThawRange(
                        ThawRange.newBuilder()
                                .setRangeId(thaw.rangeId().value())
                                .setGeneration(thaw.generation().value()))
                .build();
    }

    @Override
    public Order rebuildStore(io.parterre.manager.plan.progress.Order.RebuildStore rebuildStore) {
        return Order.newBuilder()
                .setRebuildStore(
                        RebuildStore.newBuilder().setIncarnation(rebuildStore.incarnation()))
                .build();
    }

    @Override
    public Order recover(io.parterre.manager.plan.progress.Order.RecoverRange recover) {
        return Order.newBuilder()
                .setRecoverRange(
                        RecoverRange.newBuilder()
                                .setLostRangeId(recover.lostId().value())
                                .setRange(DescriptorCodec.toProto(recover.range()))
                                .addAllMembers(nodes(recover.nodes())))
                .build();
    }

    @Override
    public Order quarantine(io.parterre.manager.plan.progress.Order.QuarantineReplica quarantine) {
        return Order.newBuilder()
                .setQuarantineReplica(
                        QuarantineReplica.newBuilder()
                                .setRangeId(quarantine.rangeId().value())
                                .setGeneration(quarantine.generation().value())
                                .setAcknowledgedIndex(quarantine.acknowledgedIndex())
                                .setDiffersAt(quarantine.differsAt()))
                .build();
    }

    private static List<Node> nodes(List<ClusterNode> nodes) {
        return nodes.stream().map(MapValueCodec::toProto).toList();
    }
}
