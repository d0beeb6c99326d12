package io.parterre.manager.plan.policy;

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
        requireNotNegative("accountRequestsPerSecond", accountRequestsPerSecond);
        requireNotNegative("accountEntitiesPerSecond", accountEntitiesPerSecond);
        requireNotNegative("tableRequestsPerSecond", tableRequestsPerSecond);
        requireNotNegative("tableEntitiesPerSecond", tableEntitiesPerSecond);
        if (burst.isNegative() || burst.isZero()) {
            throw new IllegalArgumentException("burst: " + burst + " (expected: positive)");
        }
    }

    private static void requireNotNegative(String name, int value) {
        if (value < 0) {
            throw new IllegalArgumentException(name + ": " + value + " (expected: not negative)");
        }
    }
}
