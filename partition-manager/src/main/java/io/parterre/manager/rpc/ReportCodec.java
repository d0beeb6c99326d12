package io.parterre.manager.rpc;

import io.parterre.manager.lead.HeartbeatResult;
import io.parterre.manager.lead.NodeReport;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.Orders.HostReplica;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.Order;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.Optional;

/** Reports of nodes and what is said to them. Stateless; safe for any thread. */
final class ReportCodec {
    private ReportCodec() {}

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static NodeReport fromProto(HeartbeatRequest message) {
        return new NodeReport(
                MapValueCodec.fromProto(message.getNode()),
                message.getClusterId().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ClusterId(message.getClusterId())),
                message.getReplicasList().stream().map(ReportCodec::replica).toList());
    }

    private static NodeReport.Replica replica(ReplicaReport message) {
        return new NodeReport.Replica(
                new RangeId(message.getRangeId()),
                new Generation(message.getGeneration()),
                message.getLeading(),
                message.getAppliedIndex(),
                message.getFlushedIndex());
    }

    static HeartbeatResponse toProto(HeartbeatResult result) {
        return HeartbeatResponse.newBuilder()
                .setClusterId(result.clusterId().map(ClusterId::value).orElse(""))
                .addAllOrders(result.orders().stream().map(ReportCodec::order).toList())
                .build();
    }

    private static Order order(HostReplica order) {
        return Order.newBuilder()
                .setHostReplica(
                        io.parterre.proto.manager.HostReplica.newBuilder()
                                .setRange(DescriptorCodec.toProto(order.range()))
                                .addAllMembers(
                                        order.nodes().stream()
                                                .map(MapValueCodec::toProto)
                                                .toList()))
                .build();
    }
}
