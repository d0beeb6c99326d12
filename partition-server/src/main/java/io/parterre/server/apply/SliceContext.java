package io.parterre.server.apply;

import io.parterre.server.command.SubmittedCommand;
import java.util.function.Predicate;

/**
 * What a range is applied in.
 *
 * @param stored rows as all slices before have left them
 * @param neighbours other replicas beside it
 * @param room for what a slice makes
 * @param taken tells the commands that count; any other leaves nothing behind, not even an outcome
 * @param sliced whether an entry may be applied in more than one slice; below the feature level for
 *     that it may not, whatever it makes
 */
public record SliceContext(
        StateView stored,
        FrozenRange.Neighbours neighbours,
        SliceRoom room,
        Predicate<SubmittedCommand> taken,
        boolean sliced) {
    /** For a range that may be absorbed and has memory enough. */
    public SliceContext(StateView stored, FrozenRange.Neighbours neighbours) {
        this(stored, neighbours, SliceRoom.UNBOUNDED, command -> true, true);
    }
}
