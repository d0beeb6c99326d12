package io.parterre.manager.plan.policy;

import io.parterre.check.Require;
import java.time.Duration;

/**
 * What each account and each table may ask of the cluster, through all front ends together. 0: no
 * limit.
 *
 * @param accountRequestsPerSecond calls of one account
 * @param accountEntitiesPerSecond entities that these calls write or get
 * @param tableRequestsPerSecond calls about one table
 * @param tableEntitiesPerSecond entities that these calls write or get
 * @param burst a quota of this much time may be used at once after a pause
 */
public record QuotaPolicy(
        int accountRequestsPerSecond,
        int accountEntitiesPerSecond,
        int tableRequestsPerSecond,
        int tableEntitiesPerSecond,
        Duration burst) {
    /** No quotas. */
    public static final QuotaPolicy DEFAULT = new QuotaPolicy(0, 0, 0, 0, Duration.ofSeconds(2));

    public QuotaPolicy {
        Require.notNegative("accountRequestsPerSecond", accountRequestsPerSecond);
        Require.notNegative("accountEntitiesPerSecond", accountEntitiesPerSecond);
        Require.notNegative("tableRequestsPerSecond", tableRequestsPerSecond);
        Require.notNegative("tableEntitiesPerSecond", tableEntitiesPerSecond);
        Require.positive("burst", burst);
    }
}
