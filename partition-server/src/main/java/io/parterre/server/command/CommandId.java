package io.parterre.server.command;

/**
 * Identifies a command for good: a repeat carries the same id. Immutable.
 *
 * @param senderId id of the sender, random for each start of its process
 * @param sequence grows with each new command of the sender
 */
public record CommandId(long senderId, long sequence) {
    public CommandId {
        if (sequence < 0) {
            throw new IllegalArgumentException("sequence: " + sequence + " (expected: >= 0)");
        }
    }
}
