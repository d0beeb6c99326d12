package io.parterre.server.apply;

import io.parterre.server.command.LogEntry;
import io.parterre.server.command.ReplicaCommand;

/**
 * How much of an entry is applied and written at a time. An entry is bounded by the bytes of its
 * commands, and a command of a hundred bytes makes a row of a megabyte: so what the commands make
 * is counted as well, and the entry applied in slices. Where it is cut follows from the entry and
 * the rows alone, and nothing that outlasts the entry follows from where it is cut.
 *
 * <p>Immutable; safe for any thread.
 *
 * @param sliceBytes keys and values: a slice that has come to this ends with the command, and one
 *     command's are kept on the heap up to here; the rest is made while it is written
 * @param smallBytes what a slice makes without asking for room
 */
public record SliceLimits(int sliceBytes, int smallBytes) {
    /** Large enough that a write of all of it costs little for each row. */
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

    /** Whether what makes up so many bytes may be kept on the heap. */
    boolean keeps(long bytes) {
        return bytes <= sliceBytes;
    }

    /**
     * Whether a slice ends that is followed by this command.
     *
     * <p>What changes the range itself begins a slice, so that it never waits for another range
     * with room that others wait for. A frozen range's slice does not end before the entry does or
     * thaws the range: what a frozen range remembers is taken over by a neighbour and has to be the
     * same at all members, so it must not be seen, as after a crash, while the end of the entry may
     * still forget something of it. The slice stays small all the same, since nothing is written
     * meanwhile.
     *
     * @param bytes that it has come to
     * @param frozen whether the range is, by now
     */
    boolean endsBefore(ReplicaCommand next, long bytes, boolean frozen) {
        return !frozen && (bytes >= sliceBytes || changesRange(next));
    }

    /**
     * Whether applying the entry as a whole may wait for another range, which must not be while
     * there is room that others wait for.
     */
    public static boolean mayWait(LogEntry entry) {
        return entry.commands().stream().anyMatch(command -> changesRange(command.body()));
    }

    /** Fences and tables do not: an entry may have thousands, and each slice writes outcomes. */
    private static boolean changesRange(ReplicaCommand command) {
        return command instanceof ReplicaCommand.SetMembers
                || command instanceof ReplicaCommand.Split
                || command instanceof ReplicaCommand.Freeze
                || command instanceof ReplicaCommand.Thaw
                || command instanceof ReplicaCommand.Absorb;
    }
}
