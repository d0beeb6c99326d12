package io.parterre.server.apply;

import java.util.ArrayList;
import java.util.List;

/**
 * Effects of consecutive commands of a log entry that are applied and written together.
 *
 * @param mutations changes of rows, in the order in which they take effect
 * @param outcomes one outcome for each command that counts, in the order of the commands
 * @param end number of the entry's commands that are applied once this slice is
 * @param whole whether the slice ends with the entry's last command
 */
public record AppliedSlice(
        List<Mutation> mutations, List<Outcome> outcomes, int end, boolean whole) {
    public AppliedSlice {
        mutations = List.copyOf(mutations);
        outcomes = List.copyOf(outcomes);
    }

    /** Returns this slice with only those mutations that change the range itself. */
    public AppliedSlice withoutRows() {
        List<Mutation> changes = List.of();
        for (Mutation mutation : mutations) {
            if (mutation instanceof Mutation.PutRange
                    || mutation instanceof Mutation.PutChild
                    || mutation instanceof Mutation.AbsorbNeighbour) {
                changes = joined(changes, List.of(mutation));
            }
        }
        return new AppliedSlice(changes, outcomes, end, whole);
    }

    /** Returns this slice and the next one joined into one. */
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
