package io.parterre.manager.plan.view;

import io.parterre.disk.DiskLevel;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Collection;
import java.util.Optional;

/**
 * Facts about a node that are needed for each of its replicas, computed once. Immutable.
 *
 * @param state empty if the map does not hold the node
 * @param takesMore whether the node may get new replicas and leaderships now
 * @param whole whether the node is up and reports all data of all ranges that it is a member of
 * @param leadAsTold whether the ranges that the node claims to lead are exactly those that it led
 *     last
 * @param ailment fault for which the node must not lead and gets nothing new; empty if it has none
 * @param heard its latest report; empty if it is dead or not heard
 */
record NodeFacts(
        Optional<NodeState> state,
        String zone,
        Liveness liveness,
        boolean takesMore,
        boolean whole,
        boolean leadAsTold,
        DiskLevel disk,
        Optional<NodeFault> ailment,
        Optional<LastReport> heard) {
    Optional<NodeReport> report() {
        return heard.map(LastReport::report);
    }

    /**
     * Computes the facts.
     *
     * @param latest the node's report; empty if this manager has heard none
     * @param led count of its last leaderships; empty if not counted
     * @param heardAs liveness by its silence
     * @param holdsPermit whether the node holds the disruption permit
     */
    static NodeFacts of(
            NodeId nodeId,
            ClusterMap map,
            Optional<LastReport> latest,
            Optional<Leaders.Led> led,
            Liveness heardAs,
            boolean holdsPermit) {
        Optional<ClusterNode> node = map.node(nodeId);
        Optional<NodeState> state = node.map(ClusterNode::state);
        Liveness liveness = holdsPermit && heardAs == Liveness.DEAD ? Liveness.SUSPECT : heardAs;
        boolean up = liveness == Liveness.UP;
        Collection<RangeId> ranges = map.ranges().onNode(nodeId);
        Optional<LastReport> heard = latest.filter(report -> liveness != Liveness.DEAD);
        Optional<NodeFault> ailment = heard.flatMap(NodeFacts::ailment);
        DiskLevel disk =
                latest.filter(report -> up).map(LastReport::diskLevel).orElse(DiskLevel.OK);
        return new NodeFacts(
                state,
                node.map(ClusterNode::zone).orElse(""),
                liveness,
                state.filter(NodeState::takesMore).isPresent()
                        && up
                        && !holdsPermit
                        && latest.orElseThrow().report().damage().isEmpty()
                        && ailment.isEmpty()
                        && disk == DiskLevel.OK,
                up
                        && latest.filter(told -> !told.report().diskStalled())
                                .filter(told -> told.reportsAllReplicas(ranges))
                                .isPresent(),
                latest.filter(told -> told.leadsAsReported(ranges, led)).isPresent(),
                disk,
                ailment,
                heard);
    }

    private static Optional<NodeFault> ailment(LastReport latest) {
        if (latest.report().diskStalled()) {
            return Optional.of(NodeFault.DISK_STALLED);
        }
        return latest.clock().tooFar() ? Optional.of(NodeFault.CLOCK_AHEAD) : Optional.empty();
    }
}
