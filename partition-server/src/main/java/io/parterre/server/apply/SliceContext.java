package io.parterre.server.apply;

import io.parterre.server.command.SubmittedCommand;
import java.util.function.Predicate;

/**
 * Everything that a slice needs besides the entry.
 *
 * @param stored rows as all slices before have left them
 * @param neighbours other replicas on the same node
 * @param room memory for what a slice makes
 * @param taken accepts the commands that count; any other command leaves nothing behind, not even
 *     an outcome
 * @param sliced whether an entry may be applied in more than one slice. Below the feature level for
 *     slices an entry is applied as a whole, however much it makes
 */
public record SliceContext(
        StateView stored,
        FrozenRange.Neighbours neighbours,
        SliceRoom room,
        Predicate<SubmittedCommand> taken,
        boolean sliced) {
    /**
     * Creates a context with unbounded memory in which all commands count and entries are sliced.
     */
    public SliceContext(StateView stored, FrozenRange.Neighbours neighbours) {
        this(stored, neighbours, SliceRoom.UNBOUNDED, command -> true, true);
    }
}
