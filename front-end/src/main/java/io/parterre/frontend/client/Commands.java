package io.parterre.frontend.client;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.key.Key;
import io.parterre.proto.range.Command;
import io.parterre.proto.range.Outcome;
import io.parterre.proto.range.RangeResponse;
import java.util.concurrent.CompletableFuture;

/**
 * Sends commands. Each command gets one sequence and keeps it through all attempts, so that it
 * takes effect at most once, whichever answers are lost. Thread-safe.
 *
 * <p>A command that is given up in doubt counts as settled too. Ranges refuse every command that
 * arrives later with a sequence below {@code settled_below}, so a straggler cannot take effect
 * after newer commands.
 */
final class Commands {
    private final RangeCalls calls;
    private final long senderId;
    private final Sequences sequences = new Sequences();

    /**
     * @param senderId random for each start of the process
     */
    Commands(RangeCalls calls, long senderId) {
        this.calls = calls;
        this.senderId = senderId;
    }

    /** An outcome and the range that returned it. */
    record Done(Outcome outcome, RangeAnswer answer) {}

    /**
     * Sends a command to the range that holds {@code key}.
     *
     * @param command the command without sender and sequence
     */
    CompletableFuture<Done> send(Key key, Deadline deadline, Command.Builder command) {
        Sequences.Ticket ticket = sequences.next();
        Command numbered =
                command.setSenderId(senderId)
                        .setSequence(ticket.sequence())
                        .setSettledBelow(ticket.settledBelow())
                        .build();
        return calls.write(key, deadline, (request, range) -> request.setCommand(numbered))
                .whenComplete((answer, error) -> sequences.settle(ticket))
                .thenApply(Commands::outcome);
    }

    private static Done outcome(RangeAnswer answer) {
        RangeResponse response = answer.response();
        if (!response.hasOutcome()) {
            throw new StorageException(
                    ErrorCode.INTERNAL_ERROR,
                    new IllegalStateException(
                            "answer: " + response.getBodyCase() + " (expected: outcome)"));
        }
        return new Done(response.getOutcome(), answer);
    }
}
