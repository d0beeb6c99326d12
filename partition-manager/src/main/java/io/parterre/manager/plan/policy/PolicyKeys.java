package io.parterre.manager.plan.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** The keys of the policy's values. Stateless and thread-safe. */
final class PolicyKeys {
    private static final List<PolicyKey> ALL = new ArrayList<>();

    static final PolicyKey REPLICAS =
            key(
                    "replicas",
                    PolicyUnit.NUMBER,
                    1,
                    7,
                    2,
                    "replicas of each range; more than there are nodes stay wanting",
                    Policy::replicas);
    static final PolicyKey SUSPECT_AFTER =
            duration(
                    "suspectAfter",
                    Duration.ofMillis(500),
                    Duration.ofMinutes(10),
                    "silence after which a node gets nothing new",
                    Policy::suspectAfter);
    static final PolicyKey DEAD_AFTER =
            duration(
                    "deadAfter",
                    Duration.ofSeconds(1),
                    Duration.ofDays(7),
                    "silence after which a node's replicas are rebuilt elsewhere",
                    Policy::deadAfter);
    static final PolicyKey MOVES_MAX =
            number("movesMax", 1, 1_000, "moves at once in the whole cluster", Policy::movesMax);
    static final PolicyKey MOVES_PER_NODE_MAX =
            number(
                    "movesPerNodeMax",
                    1,
                    1_000,
                    "moves at once that bring one node a replica or take one from it",
                    Policy::movesPerNodeMax);
    static final PolicyKey LEAD_TRANSFERS_MAX =
            number(
                    "leadTransfersMax",
                    1,
                    1_000,
                    "leadership transfers that are under way at once",
                    Policy::leadTransfersMax);
    static final PolicyKey BALANCE_BAND =
            number(
                    "balanceBand",
                    1,
                    1_000,
                    "so many replicas, or led ranges, a node may hold more than another one",
                    Policy::balanceBand);
    static final PolicyKey MOVE_GIVE_UP_AFTER =
            duration(
                    "moveGiveUpAfter",
                    Duration.ofSeconds(10),
                    Duration.ofDays(7),
                    "a move whose new replica has not joined by then is given up",
                    Policy::moveGiveUpAfter);
    static final PolicyKey REPLICAS_PER_NODE_MAX =
            number(
                    "replicasPerNodeMax",
                    1,
                    1_000,
                    "a node that holds so many replicas gets no more",
                    Policy::replicasPerNodeMax);
    static final PolicyKey SPLIT_ENABLED =
            key(
                    "split.enabled",
                    PolicyUnit.SWITCH,
                    0,
                    1,
                    1,
                    "whether ranges are split without being asked for",
                    policy -> policy.split().enabled() ? 1 : 0);
    static final PolicyKey SPLIT_OPERATIONS =
            number(
                    "split.operationsPerSecondMax",
                    1,
                    10_000_000,
                    "reads and writes of one range above which a part of it is led elsewhere",
                    policy -> policy.split().operationsPerSecondMax());
    static final PolicyKey SPLIT_CPU =
            number(
                    "split.cpuPermilleMax",
                    1,
                    1_000_000,
                    "processor time spent on one range, in thousandths of one core, above which a"
                            + " part of it is led elsewhere",
                    policy -> policy.split().cpuPermilleMax());
    static final PolicyKey SPLIT_BYTES =
            key(
                    "split.bytesMax",
                    PolicyUnit.BYTES,
                    1L << 20,
                    16L << 40,
                    1,
                    "size of one range above which it is split",
                    policy -> policy.split().bytesMax());
    static final PolicyKey SPLIT_OBSERVE_FOR =
            duration(
                    "split.observeFor",
                    Duration.ZERO,
                    Duration.ofHours(1),
                    "numbers of a range's leader count once it has led for so long",
                    policy -> policy.split().observeFor());
    static final PolicyKey SPLITS_MAX =
            number(
                    "split.splitsMax",
                    1,
                    1_000,
                    "splits at once in the whole cluster",
                    policy -> policy.split().splitsMax());
    static final PolicyKey MERGE_ENABLED =
            key(
                    "merge.enabled",
                    PolicyUnit.SWITCH,
                    0,
                    1,
                    1,
                    "whether neighbours that are quiet are made one without being asked for",
                    policy -> policy.merge().enabled() ? 1 : 0);
    static final PolicyKey MERGE_AGE_MIN =
            duration(
                    "merge.ageMin",
                    Duration.ZERO,
                    Duration.ofDays(7),
                    "so long both must have had their leaders, members and bounds",
                    policy -> policy.merge().ageMin());
    static final PolicyKey MERGES_MAX =
            number(
                    "merge.mergesMax",
                    1,
                    1_000,
                    "merges at once in the whole cluster",
                    policy -> policy.merge().mergesMax());
    static final PolicyKey MERGES_PER_NODE_MAX =
            number(
                    "merge.mergesPerNodeMax",
                    1,
                    1_000,
                    "merges at once of ranges that one node is a member of",
                    policy -> policy.merge().mergesPerNodeMax());
    static final PolicyKey COPYSETS_NODES_MIN =
            number(
                    "copysets.nodesMin",
                    1,
                    1_000_000,
                    "with fewer nodes, any may share ranges with any",
                    policy -> policy.copysets().nodesMin());
    static final PolicyKey COPYSETS_RINGS =
            number(
                    "copysets.rings",
                    1,
                    100,
                    "with three replicas, a node shares ranges with about four others for each",
                    policy -> policy.copysets().rings());

    static final PolicyKey QUOTA_ACCOUNT_REQUESTS =
            quota(
                    "quotas.accountRequestsPerSecond",
                    "calls that one account may make; 0: any number",
                    QuotaPolicy::accountRequestsPerSecond);
    static final PolicyKey QUOTA_ACCOUNT_ENTITIES =
            quota(
                    "quotas.accountEntitiesPerSecond",
                    "entities that one account may write and get; 0: any number",
                    QuotaPolicy::accountEntitiesPerSecond);
    static final PolicyKey QUOTA_TABLE_REQUESTS =
            quota(
                    "quotas.tableRequestsPerSecond",
                    "calls that may be made about one table; 0: any number",
                    QuotaPolicy::tableRequestsPerSecond);
    static final PolicyKey QUOTA_TABLE_ENTITIES =
            quota(
                    "quotas.tableEntitiesPerSecond",
                    "entities of one table that may be written and got; 0: any number",
                    QuotaPolicy::tableEntitiesPerSecond);
    static final PolicyKey QUOTA_BURST =
            duration(
                    "quotas.burst",
                    Duration.ofMillis(100),
                    Duration.ofMinutes(5),
                    "so much of a quota may be used at once after a pause",
                    policy -> policy.quotas().burst());

    static final PolicyKey DISK_HIGH =
            number(
                    "disk.highPercent",
                    1,
                    100,
                    "part of its disk in use above which a node gets nothing more and gives"
                            + " replicas away; 100: never",
                    policy -> policy.disk().highPercent());

    private PolicyKeys() {}

    /** Returns all keys, in the order of their declaration. */
    static List<PolicyKey> all() {
        return List.copyOf(ALL);
    }

    private static PolicyKey key(
            String name,
            PolicyUnit unit,
            long min,
            long max,
            int step,
            String meaning,
            ToLongFunction<Policy> value) {
        PolicyKey key = new PolicyKey(name, unit, min, max, step, meaning, value);
        ALL.add(key);
        return key;
    }

    private static PolicyKey number(
            String name, long min, long max, String meaning, ToLongFunction<Policy> value) {
        return key(name, PolicyUnit.NUMBER, min, max, 1, meaning, value);
    }

    private static PolicyKey quota(String name, String meaning, ToLongFunction<QuotaPolicy> value) {
        return number(name, 0, 100_000_000, meaning, policy -> value.applyAsLong(policy.quotas()));
    }

    private static PolicyKey duration(
            String name,
            Duration min,
            Duration max,
            String meaning,
            Function<Policy, Duration> value) {
        return key(
                name,
                PolicyUnit.DURATION,
                min.toNanos(),
                max.toNanos(),
                1,
                meaning,
                policy -> value.apply(policy).toNanos());
    }
}
