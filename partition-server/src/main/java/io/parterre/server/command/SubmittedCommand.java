package io.parterre.server.command;

/**
 * A command with its id. Immutable.
 *
 * @param settledBelow the sender has the final answer to every lower sequence and will not repeat
 *     it
 */
public record SubmittedCommand(CommandId id, long settledBelow, ReplicaCommand body) {
    public SubmittedCommand {
        if (settledBelow < 0 || settledBelow > id.sequence()) {
            throw new IllegalArgumentException(
                    "settledBelow: " + settledBelow + " (expected: 0.." + id.sequence() + ")");
        }
    }
}
