package io.parterre.server.apply;

import java.util.ArrayList;
import java.util.List;

/**
 * What some commands of a log entry do that are applied and written together.
 *
 * @param mutations in the order in which they take effect
 * @param outcomes one for each command that counts, in their order
 * @param end commands of the entry that are applied with this slice
 * @param whole whether those are all
 */
public record AppliedSlice(
        List<Mutation> mutations, List<Outcome> outcomes, int end, boolean whole) {
    public AppliedSlice {
        mutations = List.copyOf(mutations);
        outcomes = List.copyOf(outcomes);
    }

    /** The same, with what it changes about the range itself alone. */
    public AppliedSlice withoutRows() {
        List<Mutation> changes = List.of();
        for (Mutation mutation : mutations) {
            if (mutation instanceof Mutation.PutRange
                    || mutation instanceof Mutation.PutChild
                    || mutation instanceof Mutation.TakeIn) {
                changes = joined(changes, List.of(mutation));
            }
        }
        return new AppliedSlice(changes, outcomes, end, whole);
    }

    /** This one and the next as one. */
    public AppliedSlice then(AppliedSlice next) {
        return new AppliedSlice(
                joined(mutations, next.mutations),
                joined(outcomes, next.outcomes),
                next.end,
                next.whole);
    }

    private static <T> List<T> joined(List<T> before, List<T> next) {
        List<T> all = new ArrayList<>(before);
        all.addAll(next);
        return all;
    }
}
