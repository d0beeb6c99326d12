package io.parterre.manager.plan.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/**
 * All values of the policy that may be set while the cluster runs: what they are called, what they
 * may be and what they mean. A new value of {@link Policy} gets its key here; help, documents and
 * operators' answers follow. Stateless; safe for any thread.
 */
public final class PolicyTable {
    private static final PolicyKey REPLICAS =
            new PolicyKey(
                    "replicas",
                    PolicyUnit.NUMBER,
                    1,
                    7,
                    2,
                    "replicas of each range; more than there are nodes stay wanting",
                    Policy::replicas);
    private static final PolicyKey SUSPECT_AFTER =
            duration(
                    "suspectAfter",
                    Duration.ofMillis(500),
                    Duration.ofMinutes(10),
                    "silence after which a node gets nothing new",
                    Policy::suspectAfter);
    private static final PolicyKey DEAD_AFTER =
            duration(
                    "deadAfter",
                    Duration.ofSeconds(1),
                    Duration.ofDays(7),
                    "silence after which a node's replicas are rebuilt elsewhere",
                    Policy::deadAfter);
    private static final PolicyKey MOVES_MAX =
            number("movesMax", 1, 1_000, "moves at once in the whole cluster", Policy::movesMax);
    private static final PolicyKey MOVES_PER_NODE_MAX =
            number(
                    "movesPerNodeMax",
                    1,
                    1_000,
                    "moves at once that bring one node a replica or take one from it",
                    Policy::movesPerNodeMax);
    private static final PolicyKey LEAD_TRANSFERS_MAX =
            number(
                    "leadTransfersMax",
                    1,
                    1_000,
                    "leadership transfers that are under way at once",
                    Policy::leadTransfersMax);
    private static final PolicyKey BALANCE_BAND =
            number(
                    "balanceBand",
                    1,
                    1_000,
                    "so many replicas, or led ranges, a node may hold more than another one",
                    Policy::balanceBand);
    private static final PolicyKey MOVE_GIVE_UP_AFTER =
            duration(
                    "moveGiveUpAfter",
                    Duration.ofSeconds(10),
                    Duration.ofDays(7),
                    "a move whose new replica has not joined by then is given up",
                    Policy::moveGiveUpAfter);
    private static final PolicyKey REPLICAS_PER_NODE_MAX =
            number(
                    "replicasPerNodeMax",
                    1,
                    1_000,
                    "a node that holds so many replicas gets no more",
                    Policy::replicasPerNodeMax);
    private static final PolicyKey SPLIT_ENABLED =
            new PolicyKey(
                    "split.enabled",
                    PolicyUnit.SWITCH,
                    0,
                    1,
                    1,
                    "whether ranges are cut without being asked for",
                    policy -> policy.split().enabled() ? 1 : 0);
    private static final PolicyKey SPLIT_OPERATIONS =
            number(
                    "split.operationsPerSecondMax",
                    1,
                    10_000_000,
                    "reads and writes of one range above which a part of it is led elsewhere",
                    policy -> policy.split().operationsPerSecondMax());
    private static final PolicyKey SPLIT_CPU =
            number(
                    "split.cpuPermilleMax",
                    1,
                    1_000_000,
                    "processor time spent on one range, in thousandths of one core, above which a"
                            + " part of it is led elsewhere",
                    policy -> policy.split().cpuPermilleMax());
    private static final PolicyKey SPLIT_BYTES =
            new PolicyKey(
                    "split.bytesMax",
                    PolicyUnit.BYTES,
                    1L << 20,
                    16L << 40,
                    1,
                    "size of one range above which it is cut",
                    policy -> policy.split().bytesMax());
    private static final PolicyKey SPLIT_OBSERVE_FOR =
            duration(
                    "split.observeFor",
                    Duration.ZERO,
                    Duration.ofHours(1),
                    "numbers of a range's leader count once it has led for so long",
                    policy -> policy.split().observeFor());
    private static final PolicyKey SPLITS_MAX =
            number(
                    "split.splitsMax",
                    1,
                    1_000,
                    "splits at once in the whole cluster",
                    policy -> policy.split().splitsMax());
    private static final PolicyKey MERGE_ENABLED =
            new PolicyKey(
                    "merge.enabled",
                    PolicyUnit.SWITCH,
                    0,
                    1,
                    1,
                    "whether neighbours that are quiet are made one without being asked for",
                    policy -> policy.merge().enabled() ? 1 : 0);
    private static final PolicyKey MERGE_AGE_MIN =
            duration(
                    "merge.ageMin",
                    Duration.ZERO,
                    Duration.ofDays(7),
                    "so long both must have had their leaders, members and bounds",
                    policy -> policy.merge().ageMin());
    private static final PolicyKey MERGES_MAX =
            number(
                    "merge.mergesMax",
                    1,
                    1_000,
                    "merges at once in the whole cluster",
                    policy -> policy.merge().mergesMax());
    private static final PolicyKey MERGES_PER_NODE_MAX =
            number(
                    "merge.mergesPerNodeMax",
                    1,
                    1_000,
                    "merges at once of ranges that one node is a member of",
                    policy -> policy.merge().mergesPerNodeMax());
    private static final PolicyKey COPYSETS_NODES_MIN =
            number(
                    "copysets.nodesMin",
                    1,
                    1_000_000,
                    "with fewer nodes, any may share ranges with any",
                    policy -> policy.copysets().nodesMin());
    private static final PolicyKey COPYSETS_RINGS =
            number(
                    "copysets.rings",
                    1,
                    100,
                    "with three replicas, a node shares ranges with about four others for each",
                    policy -> policy.copysets().rings());

    private static final PolicyKey QUOTA_ACCOUNT_REQUESTS =
            quota(
                    "quotas.accountRequestsPerSecond",
                    "calls that one account may make; 0: any number",
                    QuotaPolicy::accountRequestsPerSecond);
    private static final PolicyKey QUOTA_ACCOUNT_ENTITIES =
            quota(
                    "quotas.accountEntitiesPerSecond",
                    "entities that one account may write and get; 0: any number",
                    QuotaPolicy::accountEntitiesPerSecond);
    private static final PolicyKey QUOTA_TABLE_REQUESTS =
            quota(
                    "quotas.tableRequestsPerSecond",
                    "calls that may be made about one table; 0: any number",
                    QuotaPolicy::tableRequestsPerSecond);
    private static final PolicyKey QUOTA_TABLE_ENTITIES =
            quota(
                    "quotas.tableEntitiesPerSecond",
                    "entities of one table that may be written and got; 0: any number",
                    QuotaPolicy::tableEntitiesPerSecond);
    private static final PolicyKey QUOTA_BURST =
            duration(
                    "quotas.burst",
                    Duration.ofMillis(100),
                    Duration.ofMinutes(5),
                    "so much of a quota may be used at once after a pause",
                    policy -> policy.quotas().burst());

    private static final PolicyKey DISK_HIGH =
            number(
                    "disk.highPercent",
                    1,
                    100,
                    "part of its disk in use above which a node gets nothing more and gives"
                            + " replicas away; 100: never",
                    policy -> policy.disk().highPercent());

    /** All of them, in the order in which they are shown. */
    public static final List<PolicyKey> KEYS =
            List.of(
                    REPLICAS,
                    SUSPECT_AFTER,
                    DEAD_AFTER,
                    MOVES_MAX,
                    MOVES_PER_NODE_MAX,
                    LEAD_TRANSFERS_MAX,
                    BALANCE_BAND,
                    MOVE_GIVE_UP_AFTER,
                    REPLICAS_PER_NODE_MAX,
                    SPLIT_ENABLED,
                    SPLIT_OPERATIONS,
                    SPLIT_CPU,
                    SPLIT_BYTES,
                    SPLIT_OBSERVE_FOR,
                    SPLITS_MAX,
                    MERGE_ENABLED,
                    MERGE_AGE_MIN,
                    MERGES_MAX,
                    MERGES_PER_NODE_MAX,
                    COPYSETS_NODES_MIN,
                    COPYSETS_RINGS,
                    QUOTA_ACCOUNT_REQUESTS,
                    QUOTA_ACCOUNT_ENTITIES,
                    QUOTA_TABLE_REQUESTS,
                    QUOTA_TABLE_ENTITIES,
                    QUOTA_BURST,
                    DISK_HIGH);

    /** Where both are set, the one must not be greater than the other. */
    private record AtMost(PolicyKey lesser, PolicyKey greater) {}

    private static final List<AtMost> ORDERED =
            List.of(
                    new AtMost(SUSPECT_AFTER, DEAD_AFTER),
                    new AtMost(MOVES_PER_NODE_MAX, MOVES_MAX),
                    new AtMost(MERGES_PER_NODE_MAX, MERGES_MAX));

    private PolicyTable() {}

    private static PolicyKey number(
            String name, long min, long max, String meaning, ToLongFunction<Policy> value) {
        return new PolicyKey(name, PolicyUnit.NUMBER, min, max, 1, meaning, value);
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
        return new PolicyKey(
                name,
                PolicyUnit.DURATION,
                min.toNanos(),
                max.toNanos(),
                1,
                meaning,
                policy -> value.apply(policy).toNanos());
    }

    /** Numbers by key. */
    private record Numbers(Map<PolicyKey, Long> byKey) {
        static Numbers of(Policy policy) {
            Map<PolicyKey, Long> numbers = new HashMap<>();
            KEYS.forEach(key -> numbers.put(key, key.value().applyAsLong(policy)));
            return new Numbers(numbers);
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
                    count(REPLICAS),
                    duration(SUSPECT_AFTER),
                    duration(DEAD_AFTER),
                    count(MOVES_MAX),
                    count(MOVES_PER_NODE_MAX),
                    count(LEAD_TRANSFERS_MAX),
                    count(BALANCE_BAND),
                    duration(MOVE_GIVE_UP_AFTER),
                    count(REPLICAS_PER_NODE_MAX),
                    new SplitPolicy(
                            number(SPLIT_ENABLED) == 1,
                            count(SPLIT_OPERATIONS),
                            count(SPLIT_CPU),
                            number(SPLIT_BYTES),
                            duration(SPLIT_OBSERVE_FOR),
                            count(SPLITS_MAX)),
                    new MergePolicy(
                            number(MERGE_ENABLED) == 1,
                            duration(MERGE_AGE_MIN),
                            count(MERGES_MAX),
                            count(MERGES_PER_NODE_MAX)),
                    new CopysetPolicy(count(COPYSETS_NODES_MIN), count(COPYSETS_RINGS)),
                    new QuotaPolicy(
                            count(QUOTA_ACCOUNT_REQUESTS),
                            count(QUOTA_ACCOUNT_ENTITIES),
                            count(QUOTA_TABLE_REQUESTS),
                            count(QUOTA_TABLE_ENTITIES),
                            duration(QUOTA_BURST)),
                    new DiskPolicy(count(DISK_HIGH)));
        }
    }

    private static Optional<PolicyKey> key(String name) {
        return KEYS.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    /** A policy as text by key. */
    public static SortedMap<String, String> print(Policy policy) {
        SortedMap<String, String> values = new TreeMap<>();
        KEYS.forEach(key -> values.put(key.name(), key.print(policy)));
        return values;
    }

    /**
     * The policy that was set. What is not known here, cannot be read or makes no policy was set by
     * another release, and counts for nothing; what is missing is as in {@code base}. What was read
     * from a configuration file may lie outside of what may be set.
     */
    public static Policy read(Policy base, Map<String, String> values) {
        Numbers numbers = Numbers.of(base);
        for (PolicyKey key : KEYS) {
            String text = values.get(key.name());
            if (text != null) {
                try {
                    numbers.byKey().put(key, key.unit().read(text));
                } catch (ArithmeticException | NumberFormatException e) {
                    continue;
                }
            }
        }
        try {
            return numbers.policy();
        } catch (ArithmeticException | IllegalArgumentException e) {
            return base;
        }
    }

    /**
     * What a policy would be with other values of some keys.
     *
     * @throws IllegalArgumentException with a sentence for people about each that may not be, which
     *     names those that may
     */
    public static Policy with(Policy policy, Map<String, String> changes) {
        List<String> problems = new ArrayList<>();
        Numbers numbers = Numbers.of(policy);
        List<PolicyKey> changed = new ArrayList<>();
        for (Map.Entry<String, String> change : changes.entrySet()) {
            Optional<PolicyKey> key = key(change.getKey());
            if (key.isEmpty()) {
                problems.add(unknown(change.getKey()));
                continue;
            }
            try {
                numbers.byKey().put(key.get(), key.get().parse(change.getValue()));
                changed.add(key.get());
            } catch (IllegalArgumentException e) {
                problems.add(e.getMessage());
            }
        }
        for (AtMost each : ORDERED) {
            contradiction(each, numbers, changed).ifPresent(problems::add);
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
        return numbers.policy();
    }

    private static String unknown(String name) {
        return "policy has no '"
                + name
                + "' (expected: "
                + String.join(", ", KEYS.stream().map(PolicyKey::name).toList())
                + ")";
    }

    /** One that was there before is nobody's fault who changes something else. */
    private static Optional<String> contradiction(
            AtMost rule, Numbers numbers, List<PolicyKey> changed) {
        PolicyKey lesser = rule.lesser();
        PolicyKey greater = rule.greater();
        if (numbers.number(lesser) <= numbers.number(greater)) {
            return Optional.empty();
        }
        if (changed.contains(greater)) {
            return Optional.of(
                    greater.name()
                            + ": "
                            + greater.unit().print(numbers.number(greater))
                            + " (expected: "
                            + lesser.unit().print(numbers.number(lesser))
                            + ".."
                            + greater.unit().print(greater.max())
                            + ", not less than "
                            + lesser.name()
                            + ")");
        }
        if (changed.contains(lesser)) {
            return Optional.of(
                    lesser.name()
                            + ": "
                            + lesser.unit().print(numbers.number(lesser))
                            + " (expected: "
                            + lesser.unit().print(lesser.min())
                            + ".."
                            + greater.unit().print(numbers.number(greater))
                            + ", not more than "
                            + greater.name()
                            + ")");
        }
        return Optional.empty();
    }

    /** What differs between two policies, a few words each. */
    public static List<String> changes(Policy before, Policy after) {
        return KEYS.stream()
                .filter(key -> !key.print(before).equals(key.print(after)))
                .map(key -> key.name() + ": " + key.print(before) + " -> " + key.print(after))
                .toList();
    }

    /** The table for documents, in Markdown. */
    public static String markdown() {
        StringBuilder table =
                new StringBuilder("| Key | Default | May be | Is |\n| --- | --- | --- | --- |\n");
        for (PolicyKey key : KEYS) {
            table.append("| `")
                    .append(key.name())
                    .append("` | ")
                    .append(key.print(Policy.DEFAULT))
                    .append(" | ")
                    .append(key.allowed())
                    .append(" | ")
                    .append(key.meaning())
                    .append(" |\n");
        }
        return table.toString();
    }
}
