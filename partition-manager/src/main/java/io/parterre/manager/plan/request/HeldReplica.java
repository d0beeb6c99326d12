package io.parterre.manager.plan.request;

import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What is known of one replica of a range, even if its node is dead.
 *
 * @param member whether the map holds the node as a member
 * @param silent time since its node's last report; empty if this manager has heard none
 * @param replica as last reported; empty if not reported
 * @param unfit why the range could not go on from this replica; empty if it could
 */
public record HeldReplica(
        NodeId nodeId,
        Liveness liveness,
        boolean member,
        Optional<Duration> silent,
        Optional<NodeReport.Replica> replica,
        Optional<Reason> unfit) {
    static HeldReplica of(ClusterView view, RangeId held, NodeId nodeId, boolean member) {
        Optional<NodeReport.Replica> replica =
                view.lastReport(nodeId).flatMap(heard -> heard.report().replica(held));
        return new HeldReplica(
                nodeId,
                view.liveness(nodeId),
                member,
                view.lastHeard(nodeId).map(at -> Duration.between(at, view.now())),
                replica,
                unfit(view, nodeId, replica));
    }

    private static Optional<Reason> unfit(
            ClusterView view, NodeId nodeId, Optional<NodeReport.Replica> replica) {
        if (view.liveness(nodeId) != Liveness.UP) {
            return Optional.of(ReasonCode.NODE_IS.of(view.liveness(nodeId)));
        }
        if (view.damage(nodeId).isPresent()) {
            return Optional.of(ReasonCode.NODE_HAS_NO_STORE.of(view.damage(nodeId).get()));
        }
        if (view.ailment(nodeId).isPresent()) {
            return view.ailment(nodeId)
                    .map(
                            ailment ->
                                    switch (ailment) {
                                        case DISK_STALLED -> ReasonCode.NODES_DISK_IS_STALLED.of();
                                        case CLOCK_AHEAD ->
                                                ReasonCode.NODES_CLOCK_IS_AHEAD.of(
                                                        view.clockAhead(nodeId).toSeconds());
                                    });
        }
        if (replica.isEmpty()) {
            return Optional.of(ReasonCode.NODE_HOLDS_NONE.of());
        }
        if (replica.get().damage().isPresent()) {
            return Optional.of(
                    ReasonCode.REPLICA_IS_DAMAGED.of(replica.get().damage().get().what()));
        }
        OptionalLong lacked =
                view.lastReport(nodeId)
                        .map(heard -> heard.regressions().of(replica.get().rangeId()))
                        .orElse(OptionalLong.empty());
        if (lacked.isPresent()) {
            return Optional.of(ReasonCode.REPLICA_LACKS_ENTRIES.of(lacked.getAsLong()));
        }
        return replica.get().joining()
                ? Optional.of(ReasonCode.REPLICA_HAS_NO_DATA.of())
                : Optional.empty();
    }

    /**
     * Returns how far the replica's log reached by the last report; for a node of an old release,
     * only its applied index.
     */
    Optional<NodeReport.LogEnd> log() {
        return replica.map(
                each -> each.log().orElse(new NodeReport.LogEnd(0, 0, each.appliedIndex(), 0)));
    }
}
