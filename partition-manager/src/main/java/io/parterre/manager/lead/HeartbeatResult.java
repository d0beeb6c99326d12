package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.request.PermitAnswer;
import io.parterre.manager.plan.view.ClockVerdict;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.util.List;
import java.util.Optional;

/**
 * The answer to a node's report.
 *
 * @param level the cluster's feature level
 * @param clusterId the node's cluster; empty while no cluster exists
 * @param rebuildRefusal why a node that cannot use its store gets no permission to rebuild its
 *     store; empty otherwise
 * @param managers service addresses of all managers of the wanted set
 * @param givenUp reported ranges that are retired because other ranges have taken their place
 * @param regressed reported ranges in whose groups the node must not vote, because its log ends
 *     before entries that it had acknowledged
 * @param clock how the node's clock compares with the others'
 * @param permit answer to a node that asks for the disruption permit
 * @param confirmed whether a majority of the managers has confirmed this manager's leadership since
 *     the report
 */
public record HeartbeatResult(
        FeatureLevel level,
        Optional<ClusterId> clusterId,
        List<Order> orders,
        Optional<String> rebuildRefusal,
        List<String> managers,
        List<RangeId> givenUp,
        List<RangeId> regressed,
        ClockVerdict clock,
        PermitAnswer permit,
        boolean confirmed) {
    public HeartbeatResult {
        orders = List.copyOf(orders);
        managers = List.copyOf(managers);
        givenUp = List.copyOf(givenUp);
        regressed = List.copyOf(regressed);
    }

    /**
     * Returns the answer to a node that does not read the cluster's feature level. It contains
     * nothing else.
     */
    static HeartbeatResult unreadable(FeatureLevel level) {
        return new HeartbeatResult(
                level,
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(),
                ClockVerdict.UNKNOWN,
                PermitAnswer.NOT_ASKED,
                false);
    }
}
