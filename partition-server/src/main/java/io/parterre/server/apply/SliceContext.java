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
 */
public record SliceContext(
        StateView stored,
        FrozenRange.Neighbours neighbours,
        SliceRoom room,
        Predicate<SubmittedCommand> taken) {
    /** For a range that may be absorbed and has memory enough. */
    public SliceContext(StateView stored, FrozenRange.Neighbours neighbours) {
        this(stored, neighbours, SliceRoom.UNBOUNDED, command -> true);
    }
}
