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
 * What is asked of a node for each of its replicas, found once. Immutable; safe for any thread.
 *
 * @param state empty: the map does not know the node
 * @param takesMore whether new replicas and leads may come to it now
 * @param whole whether it tells of all data of all ranges that it is a member of, and now
 * @param leadAsTold whether it led last what it says that it leads and nothing else
 * @param ailment why it may lead no range and is to get nothing new; empty: nothing ails it
 * @param heard its latest report; empty: it is dead, or this manager has heard none
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
     * What a node is.
     *
     * @param latest its report; empty: this manager has heard none
     * @param led what it led last, if that is counted
     * @param heardAs how long it has been silent
     * @param onLeave whether it said that it would be silent
     */
    static NodeFacts of(
            NodeId nodeId,
            ClusterMap map,
            Optional<LastReport> latest,
            Optional<Leaders.Led> led,
            Liveness heardAs,
            boolean onLeave) {
        Optional<ClusterNode> node = map.node(nodeId);
        Optional<NodeState> state = node.map(ClusterNode::state);
        Liveness liveness = onLeave && heardAs == Liveness.DEAD ? Liveness.SUSPECT : heardAs;
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
                        && !onLeave
                        && latest.orElseThrow().report().damage().isEmpty()
                        && ailment.isEmpty()
                        && disk == DiskLevel.OK,
                up
                        && latest.filter(told -> !told.report().diskStalled())
                                .filter(told -> told.isWhole(ranges))
                                .isPresent(),
                latest.filter(told -> told.isLeadAsTold(ranges, led)).isPresent(),
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
