package io.parterre.manager.rpc;

import io.parterre.manager.lead.HeartbeatResult;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.NodeReport;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
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
                // What operators want of a node is not for the node to say.
                MapValueCodec.fromProto(message.getNode()).withState(NodeState.ACTIVE),
                message.getClusterId().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ClusterId(message.getClusterId())),
                message.getReplicasList().stream().map(ReportCodec::replica).toList(),
                text(message.getDamage()),
                message.getDiskStalled());
    }

    private static Optional<String> text(String text) {
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    private static NodeReport.Replica replica(ReplicaReport message) {
        return new NodeReport.Replica(
                new RangeId(message.getRangeId()),
                new Generation(message.getGeneration()),
                message.getLeading(),
                message.getAppliedIndex(),
                message.getFlushedIndex(),
                message.getMembersList().stream().map(NodeId::new).toList(),
                message.getFollowersList().stream().map(ReportCodec::follower).toList(),
                message.getState() == ReplicaState.JOINING,
                message.getSizeBytes(),
                text(message.getDamage())
                        .map(
                                what ->
                                        new NodeReport.Damage(
                                                what, message.getState() != ReplicaState.DAMAGED)));
    }

    private static NodeReport.Follower follower(FollowerReport message) {
        return new NodeReport.Follower(
                new NodeId(message.getNodeId()),
                message.getMatchIndex(),
                Duration.ofMillis(Integer.toUnsignedLong(message.getSilentMillis())));
    }

    static HeartbeatResponse toProto(HeartbeatResult result) {
        return HeartbeatResponse.newBuilder()
                .setClusterId(result.clusterId().map(ClusterId::value).orElse(""))
                .addAllOrders(
                        result.orders().stream()
                                .map(order -> order.match(new OrderCodec()))
                                .toList())
                .addAllManagers(result.managers())
                .setNoLeave(result.noLeave().orElse(""))
                .build();
    }
}
