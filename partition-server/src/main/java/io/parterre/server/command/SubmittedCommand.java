package io.parterre.server.command;

/**
 * A command with its name.
 *
 * @param settledBelow every lower sequence of the sender has its final answer there and will not be
 *     repeated
 */
public record SubmittedCommand(CommandId id, long settledBelow, ReplicaCommand body) {
    public SubmittedCommand {
        if (settledBelow < 0 || settledBelow > id.sequence()) {
            throw new IllegalArgumentException(
                    "settledBelow: " + settledBelow + " (expected: 0.." + id.sequence() + ")");
        }
    }
}
