package io.parterre.server.apply;

import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;

/**
 * Limits on how much of an entry is applied and written at a time. An entry is bounded by the bytes
 * of its commands, but a command of a hundred bytes can make a row of a megabyte. So the bytes that
 * the commands make are counted as well, and the entry is applied in slices. Where an entry is cut
 * follows from the entry and the rows alone, and nothing that outlasts the entry depends on where
 * it is cut.
 *
 * <p>Immutable; safe for any thread.
 *
 * @param sliceBytes bytes of keys and values after which a slice ends with the current command, and
 *     up to which the rows of one command are kept on the heap; further rows are made while they
 *     are written
 * @param smallBytes bytes that a slice may make without asking for room
 */
public record SliceLimits(int sliceBytes, int smallBytes) {
    /** Large enough that writing a full slice costs little for each row. */
    public static final SliceLimits CURRENT = new SliceLimits(4 << 20, 256 << 10);

    public SliceLimits {
        if (smallBytes < 0 || sliceBytes < smallBytes) {
            throw new IllegalArgumentException(
                    "sliceBytes: " + sliceBytes + " (expected: >= smallBytes " + smallBytes + ")");
        }
    }

    boolean isSmall(long bytes) {
        return bytes <= smallBytes;
    }

    /** Whether this many bytes may be kept on the heap. */
    boolean keeps(long bytes) {
        return bytes <= sliceBytes;
    }

    /**
     * Returns whether the slice ends before the next command.
     *
     * <p>A command that changes the range itself begins a slice, so that a slice never waits for
     * another range while it holds room that other slices wait for. A frozen range's slice ends
     * only when the entry ends or the range is thawed. A neighbour takes over the state of a frozen
     * range, so the state must be the same at all members. It must not be visible, for example
     * after a crash, while the rest of the entry may still drop a part of it. The slice stays
     * small, because nothing is written to a frozen range.
     *
     * @param bytes bytes of keys and values in the slice so far
     * @param frozen whether the range is frozen after the commands so far
     */
    boolean endsBefore(ReplicaCommand next, long bytes, boolean frozen) {
        return !frozen && (bytes >= sliceBytes || changesRange(next));
    }

    /**
     * Returns whether applying the entry as a whole may wait for another range. Such an entry must
     * not be applied while it holds room that others wait for.
     */
    public static boolean mayWait(LogEntry entry) {
        return entry.commands().stream().anyMatch(command -> changesRange(command.body()));
    }

    /**
     * Fences and changes of tables do not count: an entry may have thousands, and each slice writes
     * outcomes.
     */
    private static boolean changesRange(ReplicaCommand command) {
        return command instanceof ReplicaCommand.SetMembers
                || command instanceof ReplicaCommand.Split
                || command instanceof ReplicaCommand.Freeze
                || command instanceof ReplicaCommand.Thaw
                || command instanceof ReplicaCommand.Absorb;
    }
}
