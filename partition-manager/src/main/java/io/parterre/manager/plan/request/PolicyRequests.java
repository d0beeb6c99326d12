package io.parterre.manager.plan.request;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.PolicyValues;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Judges operators' requests about the policy. Stateless and thread-safe. */
public final class PolicyRequests {
    private PolicyRequests() {}

    /**
     * Judges a request to set some values.
     *
     * @param version version on which the request is based; 0 for any version
     * @param by the requester's name; not authenticated
     */
    public static Verdict set(
            ClusterView view, Map<String, String> changes, long version, String by) {
        if (changes.isEmpty()) {
            return new Verdict.Invalid(ReasonCode.NO_SETTING_GIVEN.of());
        }
        Policy after;
        try {
            after = PolicyTable.with(view.policy(), changes);
        } catch (IllegalArgumentException e) {
            return new Verdict.Invalid(ReasonCode.SETTING_INVALID.of(e.getMessage()));
        }
        List<String> effects = PolicyTable.changes(view.policy(), after);
        if (effects.isEmpty()) {
            // Also if a request is repeated for lack of an answer: the policy has another version
            // by then.
            return Verdict.Do.nothing(ReasonCode.POLICY_IS_SO.of());
        }
        PolicyValues now = view.map().policy();
        if (version != 0 && version != now.version()) {
            return new Verdict.Refuse(ReasonCode.POLICY_CHANGED.of(now.version(), version));
        }
        SortedMap<String, String> values = new TreeMap<>();
        SortedMap<String, String> printed = PolicyTable.print(after);
        changes.keySet().forEach(key -> values.put(key, printed.get(key)));
        return new Verdict.Do(
                List.of(new MapCommand.SetPolicy(now.version(), values, signature(by), view.now())),
                Optional.empty(),
                effects.stream().map(Reason::words).toList());
    }

    private static String signature(String by) {
        String clean = by.replaceAll("\\p{Cntrl}", " ").strip();
        if (clean.isEmpty()) {
            return "somebody";
        }
        return clean.substring(0, Math.min(clean.length(), PolicyValues.LENGTH_MAX));
    }

    /**
     * Returns a command that gives values to keys that have none: a new cluster's, or those of a
     * later release; empty if all have one.
     *
     * @param configured this manager's configured policy
     */
    public static Optional<MapCommand> firstValues(ClusterView view, Policy configured, String by) {
        SortedMap<String, String> missing = new TreeMap<>(PolicyTable.print(configured));
        missing.keySet().removeAll(view.map().policy().values().keySet());
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new MapCommand.SetPolicy(
                                view.map().policy().version(), missing, by, view.now()));
    }
}
