package io.parterre.manager.rpc;

import io.parterre.disk.DiskSpace;
import io.parterre.key.Key;
import io.parterre.manager.lead.HeartbeatResult;
import io.parterre.manager.lead.NodeClock;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.request.StopIntent;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.HeartbeatResponse;
import io.parterre.proto.manager.LeadCertainty;
import io.parterre.proto.manager.RangeLoad;
import io.parterre.proto.manager.RefusedMerge;
import io.parterre.proto.manager.RefusedSplit;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/** Converts reports of nodes, and the answers to them. Stateless and thread-safe. */
final class ReportCodec {
    private ReportCodec() {}

    /**
     * Reads a report.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static NodeReport fromProto(HeartbeatRequest message) {
        return new NodeReport(
                // Operators set the state of a node, so the node's own claim is ignored.
                MapValueCodec.fromProto(message.getNode()).withState(NodeState.ACTIVE),
                message.getClusterId().isEmpty()
                        ? Optional.empty()
                        : Optional.of(new ClusterId(message.getClusterId())),
                message.getReplicasList().stream().map(ReportCodec::replica).toList(),
                text(message.getDamage()),
                message.getDiskStalled(),
                message.getRefusedSplitsList().stream().map(ReportCodec::refusal).toList(),
                message.getRefusedMergesList().stream().map(ReportCodec::refusal).toList(),
                DiskSpace.told(message.getDiskUsableBytes(), message.getDiskTotalBytes()),
                message.getGrowthRefused());
    }

    /** Returns what the node's clock says, and its last verdict by a manager. */
    static NodeClock clock(HeartbeatRequest message) {
        return new NodeClock(
                message.getClockMillis() == 0
                        ? Optional.empty()
                        : Optional.of(Instant.ofEpochMilli(message.getClockMillis())),
                Duration.ofMillis(Math.max(0, message.getClockAheadMillis())));
    }

    /**
     * Returns whether the node's process is about to stop.
     *
     * @throws IllegalArgumentException if a field breaks its type's rules
     */
    static StopIntent intent(HeartbeatRequest message) {
        return new StopIntent(
                message.getProcess(),
                Optional.of(Integer.toUnsignedLong(message.getStopPermitSeconds()))
                        .filter(seconds -> seconds != 0)
                        .map(Duration::ofSeconds));
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
                                                what, message.getState() != ReplicaState.DAMAGED)),
                message.hasRange()
                        ? Optional.of(DescriptorCodec.fromProto(message.getRange()).bounds())
                        : Optional.empty(),
                message.hasLoad() ? Optional.of(load(message.getLoad())) : Optional.empty(),
                message.getLastTerm() == 0
                        ? Optional.empty()
                        : Optional.of(
                                new NodeReport.LogEnd(
                                        message.getAppliedTerm(),
                                        message.getLastTerm(),
                                        message.getLastIndex(),
                                        message.getSyncedIndex())),
                Optional.of(message.getRange().getFrozenFor())
                        .filter(left -> left != 0)
                        .map(RangeId::new),
                new NodeReport.Rows(
                        index(message.getDiffersAt()), index(message.getUndecidedAt())));
    }

    private static io.parterre.manager.plan.view.RangeLoad load(RangeLoad message) {
        return new io.parterre.manager.plan.view.RangeLoad(
                message.getReadsPerSecond(),
                message.getWritesPerSecond(),
                message.getBytesPerSecond(),
                message.getRefusedPerSecond(),
                message.getCpuPermille(),
                Duration.ofMillis(Integer.toUnsignedLong(message.getObservedMillis())),
                switch (message.getShape()) {
                    case SPREAD -> io.parterre.manager.plan.view.RangeLoad.Shape.SPREAD;
                    case ONE_PARTITION ->
                            io.parterre.manager.plan.view.RangeLoad.Shape.ONE_PARTITION;
                    case MOVING_TAIL -> io.parterre.manager.plan.view.RangeLoad.Shape.MOVING_TAIL;
                    case LOAD_SHAPE_UNSPECIFIED, UNRECOGNIZED ->
                            io.parterre.manager.plan.view.RangeLoad.Shape.UNKNOWN;
                },
                message.getSplitPoint().isEmpty()
                        ? Optional.empty()
                        : Optional.of(Key.wrap(message.getSplitPoint().toByteArray())),
                message.getSplitPointPermille());
    }

    private static NodeReport.SplitRefusal refusal(RefusedSplit message) {
        return new NodeReport.SplitRefusal(
                new RangeId(message.getChildRangeId()),
                switch (message.getReason()) {
                    case OTHER_GENERATION -> "it has another generation there";
                    case MEMBERS_CHANGING -> "its members are changing";
                    case BAD_SPLIT_POINT ->
                            "the split point is not inside, or not between two partitions";
                    case NO_SPLIT_POINT -> "all that it holds, or too much, is of one partition";
                    case CHILD_KNOWN -> "the new range's number is in use there";
                    case REASON_UNSPECIFIED, UNRECOGNIZED -> "for a reason not known here";
                });
    }

    private static NodeReport.MergeRefusal refusal(RefusedMerge message) {
        return new NodeReport.MergeRefusal(
                new RangeId(message.getLeftRangeId()),
                new Generation(message.getLeftGeneration()),
                new RangeId(message.getRightRangeId()),
                switch (message.getReason()) {
                    case OTHER_GENERATION -> "one of the two has another generation there";
                    case MEMBERS_CHANGING -> "their members are changing, or not the same";
                    case NOT_NEIGHBOURS -> "they are no neighbours there";
                    case NOT_LEADING -> "it does not lead both";
                    case MEMBER_BEHIND -> "not all members came along in time";
                    case NOT_JOINED -> "the wider range's log did not take it in time";
                    case REASON_UNSPECIFIED, UNRECOGNIZED -> "for a reason not known here";
                });
    }

    private static NodeReport.Follower follower(FollowerReport message) {
        return new NodeReport.Follower(
                new NodeId(message.getNodeId()),
                message.getMatchIndex(),
                Duration.ofMillis(Integer.toUnsignedLong(message.getSilentMillis())),
                index(message.getRegressedFrom()),
                index(message.getDiffersAt()));
    }

    private static OptionalLong index(long told) {
        return told == 0 ? OptionalLong.empty() : OptionalLong.of(told);
    }

    static HeartbeatResponse toProto(HeartbeatResult result) {
        return HeartbeatResponse.newBuilder()
                .setClusterId(result.clusterId().map(ClusterId::value).orElse(""))
                .addAllOrders(result.orders().stream().map(OrderCodec::toProto).toList())
                .addAllManagers(result.managers())
                .setNoLeave(result.rebuildRefusal().orElse(""))
                .addAllGivenUpRanges(result.givenUp().stream().map(RangeId::value).toList())
                .addAllRegressedRanges(result.regressed().stream().map(RangeId::value).toList())
                .setFeatureLevel(result.level().value())
                .setClockJudged(result.clock().judged())
                .setClockAheadMillis(
                        result.clock().tooFar() ? result.clock().ahead().toMillis() : 0)
                .setClockAgrees(result.clock().agrees())
                .setStopPermitHeld(result.permit().held())
                .setNoStopPermit(result.permit().whyNot().orElse(""))
                .setCertainty(
                        result.confirmed() ? LeadCertainty.CONFIRMED : LeadCertainty.NOT_ASKED_FOR)
                .build();
    }
}
