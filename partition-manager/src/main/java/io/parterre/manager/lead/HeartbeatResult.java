package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.plan.Order;
import java.util.List;
import java.util.Optional;

/**
 * What a node learns from its report.
 *
 * @param clusterId the cluster it belongs to; empty while there is none
 * @param managers service addresses of the managers as they shall be
 */
public record HeartbeatResult(
        Optional<ClusterId> clusterId, List<Order> orders, List<String> managers) {
    public HeartbeatResult {
        orders = List.copyOf(orders);
        managers = List.copyOf(managers);
    }
}
