package io.parterre.server.command;

import java.util.List;

/**
 * One entry of a range's Raft log, with the commands that waited when the leader made it.
 * Immutable.
 *
 * @param stampTicks the leader's time, see {@code Ticks}
 */
public record LogEntry(long stampTicks, List<SubmittedCommand> commands) {
    public LogEntry {
        commands = List.copyOf(commands);
        if (commands.isEmpty()) {
            throw new IllegalArgumentException("commands: none (expected: at least one)");
        }
    }
}
