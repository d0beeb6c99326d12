package io.parterre.manager.plan.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * All values of the policy that may be set while the cluster runs: their names, allowed values and
 * meanings. A new value of {@link Policy} gets its key in {@link PolicyKeys}; help, documents and
 * operators' answers follow. Stateless and thread-safe.
 */
public final class PolicyTable {
    /** All keys, in the order in which they are shown. */
    public static final List<PolicyKey> KEYS = PolicyKeys.all();

    /** The rule that the value of one key must not exceed that of another. */
    private record AtMost(PolicyKey lesser, PolicyKey greater) {}

    private static final List<AtMost> ORDERED =
            List.of(
                    new AtMost(PolicyKeys.SUSPECT_AFTER, PolicyKeys.DEAD_AFTER),
                    new AtMost(PolicyKeys.MOVES_PER_NODE_MAX, PolicyKeys.MOVES_MAX),
                    new AtMost(PolicyKeys.MERGES_PER_NODE_MAX, PolicyKeys.MERGES_MAX));

    private PolicyTable() {}

    private static Optional<PolicyKey> key(String name) {
        return KEYS.stream().filter(key -> key.name().equals(name)).findFirst();
    }

    /** Returns a policy as text by key. */
    public static SortedMap<String, String> print(Policy policy) {
        SortedMap<String, String> values = new TreeMap<>();
        KEYS.forEach(key -> values.put(key.name(), key.print(policy)));
        return values;
    }

    /**
     * Reads the cluster's policy. A value that is unknown here or cannot be read was set by another
     * release and is ignored. Missing values are those of {@code base}, as are all values if
     * together they are no valid policy. Values that come from a configuration file may lie outside
     * of what operators may set.
     */
    public static Policy read(Policy base, Map<String, String> values) {
        PolicyNumbers numbers = PolicyNumbers.of(base);
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
     * Returns the policy with other values of some keys.
     *
     * @throws IllegalArgumentException with a sentence for people about each value that is not
     *     allowed, which names the allowed ones
     */
    public static Policy with(Policy policy, Map<String, String> changes) {
        List<String> problems = new ArrayList<>();
        PolicyNumbers numbers = PolicyNumbers.of(policy);
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

    /**
     * Reports a contradiction only if one of its keys is changed now. An old contradiction must not
     * block a change of something else.
     */
    private static Optional<String> contradiction(
            AtMost rule, PolicyNumbers numbers, List<PolicyKey> changed) {
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

    /** Returns the differences between two policies, each as a short text. */
    public static List<String> changes(Policy before, Policy after) {
        return KEYS.stream()
                .filter(key -> !key.print(before).equals(key.print(after)))
                .map(key -> key.name() + ": " + key.print(before) + " -> " + key.print(after))
                .toList();
    }
}
