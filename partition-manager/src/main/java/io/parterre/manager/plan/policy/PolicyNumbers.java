package io.parterre.manager.plan.policy;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A policy as one number for each key. */
record PolicyNumbers(Map<PolicyKey, Long> byKey) {
    static PolicyNumbers of(Policy policy) {
        Map<PolicyKey, Long> numbers = new HashMap<>();
        PolicyKeys.all().forEach(key -> numbers.put(key, key.value().applyAsLong(policy)));
        return new PolicyNumbers(numbers);
    }

    long number(PolicyKey key) {
        return byKey.get(key);
    }

    int count(PolicyKey key) {
        return Math.toIntExact(number(key));
    }

    Duration duration(PolicyKey key) {
        return Duration.ofNanos(number(key));
    }

    Policy policy() {
        return new Policy(
                count(PolicyKeys.REPLICAS),
                duration(PolicyKeys.SUSPECT_AFTER),
                duration(PolicyKeys.DEAD_AFTER),
                count(PolicyKeys.MOVES_MAX),
                count(PolicyKeys.MOVES_PER_NODE_MAX),
                count(PolicyKeys.LEAD_TRANSFERS_MAX),
                count(PolicyKeys.BALANCE_BAND),
                duration(PolicyKeys.MOVE_GIVE_UP_AFTER),
                count(PolicyKeys.REPLICAS_PER_NODE_MAX),
                new SplitPolicy(
                        number(PolicyKeys.SPLIT_ENABLED) == 1,
                        count(PolicyKeys.SPLIT_OPERATIONS),
                        count(PolicyKeys.SPLIT_CPU),
                        number(PolicyKeys.SPLIT_BYTES),
                        duration(PolicyKeys.SPLIT_OBSERVE_FOR),
                        count(PolicyKeys.SPLITS_MAX)),
                new MergePolicy(
                        number(PolicyKeys.MERGE_ENABLED) == 1,
                        duration(PolicyKeys.MERGE_AGE_MIN),
                        count(PolicyKeys.MERGES_MAX),
                        count(PolicyKeys.MERGES_PER_NODE_MAX)),
                new CopysetPolicy(
                        count(PolicyKeys.COPYSETS_NODES_MIN), count(PolicyKeys.COPYSETS_RINGS)),
                new QuotaPolicy(
                        count(PolicyKeys.QUOTA_ACCOUNT_REQUESTS),
                        count(PolicyKeys.QUOTA_ACCOUNT_ENTITIES),
                        count(PolicyKeys.QUOTA_TABLE_REQUESTS),
                        count(PolicyKeys.QUOTA_TABLE_ENTITIES),
                        duration(PolicyKeys.QUOTA_BURST)),
                new DiskPolicy(count(PolicyKeys.DISK_HIGH)));
    }
}
