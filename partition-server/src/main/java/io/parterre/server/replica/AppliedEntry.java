package io.parterre.server.replica;

import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import java.util.List;

/**
 * What a log entry has done, once it is written.
 *
 * @param changes of the range itself, in the order in which they took effect
 * @param outcomes one for each command, in their order; empty: nobody is to be told
 */
public record AppliedEntry(List<Mutation> changes, List<Outcome> outcomes) {
    static final AppliedEntry NOTHING = new AppliedEntry(List.of(), List.of());

    public AppliedEntry {
        changes = List.copyOf(changes);
        outcomes = List.copyOf(outcomes);
    }
}
