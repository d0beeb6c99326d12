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
 * What a node learns from its report.
 *
 * @param level of the cluster
 * @param clusterId the cluster it belongs to; empty while there is none
 * @param noLeave why a node that cannot use its store gets no permission to rebuild its store
 * @param managers service addresses of the managers as they shall be
 * @param givenUp ranges that it told of and that others have taken the place of
 * @param regressed ranges that it told of and in whose groups it must not vote: its log ends before
 *     entries that it had acknowledged
 * @param clock how its clock compares with the others'
 * @param permit of a node that asks for the disruption permit
 * @param confirmed whether a majority of the managers has confirmed since the report that this one
 *     leads
 */
public record HeartbeatResult(
        FeatureLevel level,
        Optional<ClusterId> clusterId,
        List<Order> orders,
        Optional<String> noLeave,
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

    /** For a node that cannot be part of a cluster of this level: it is told nothing else. */
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
