package io.parterre.server.apply;

import java.util.List;

/**
 * What a log entry does.
 *
 * @param mutations in the order in which they take effect
 * @param outcomes one for each command, in their order
 */
public record AppliedEntry(List<Mutation> mutations, List<Outcome> outcomes) {
    public AppliedEntry {
        mutations = List.copyOf(mutations);
        outcomes = List.copyOf(outcomes);
    }
}
