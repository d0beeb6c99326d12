package io.parterre.manager.lead;

import io.parterre.manager.map.MapCommand.EnsureAccount;
import io.parterre.manager.plan.policy.Policy;
import java.time.Duration;
import java.util.List;

/**
 * What the leader does by itself, and its bounds.
 *
 * @param accounts accounts to see to
 * @param initialReplicas members of a new cluster's first range
 * @param heartbeatTimeout a node silent for longer counts as gone when a cluster is founded
 * @param policy what the planner aims at
 * @param tick time between two looks at what is to do
 * @param callsMax calls in progress at once; more are told to come back
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
