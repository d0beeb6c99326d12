package io.parterre.manager.lead;

import io.parterre.manager.map.MapCommand.EnsureAccount;
import io.parterre.manager.plan.policy.Policy;
import java.time.Duration;
import java.util.List;

/**
 * Settings and bounds of the leading manager.
 *
 * @param accounts accounts to keep in the map
 * @param initialReplicas members of a new cluster's first range
 * @param heartbeatTimeout a node silent for longer does not count when a cluster is created
 * @param policy what the planner aims at
 * @param tick time between two rounds of periodic work
 * @param callsMax calls in progress at once; further calls are answered as busy
 * @param watchersMax watchers at once
 * @param ordersMax orders in one answer
 */
public record LeaderConfig(
        List<EnsureAccount> accounts,
        int initialReplicas,
        Duration heartbeatTimeout,
        Policy policy,
        Duration tick,
        int callsMax,
        int watchersMax,
        int ordersMax) {
    public LeaderConfig {
        accounts = List.copyOf(accounts);
    }
}
