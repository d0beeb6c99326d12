package io.parterre.server.replica;

import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import java.util.List;

/**
 * Effect of a log entry, once it is written.
 *
 * @param changes mutations that change the range itself, in the order in which they took effect
 * @param outcomes one outcome for each command, in the order of the commands; empty if no proposer
 *     waits for them
 */
public record AppliedEntry(List<Mutation> changes, List<Outcome> outcomes) {
    static final AppliedEntry NOTHING = new AppliedEntry(List.of(), List.of());

    public AppliedEntry {
        changes = List.copyOf(changes);
        outcomes = List.copyOf(outcomes);
    }
}
