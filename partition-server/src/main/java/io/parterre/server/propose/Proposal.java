package io.parterre.server.propose;

import io.parterre.proto.range.Command;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.SubmittedCommand;
import java.util.function.Consumer;

/**
 * A command on its way into the log.
 *
 * @param message the command as it will be in the log
 * @param command the same command, decoded
 * @param own whether the command is the range's own. Such commands are few, and waiting commands of
 *     clients must not hold up a command that would relieve the range
 * @param trace called with the progress of the command
 * @param done called once with the result, on the proposer's thread; must not block
 */
public record Proposal(
        Command message,
        SubmittedCommand command,
        boolean own,
        ProposalTrace trace,
        Consumer<ProposalResult> done) {
    /** Creates a proposal without a trace. */
    public Proposal(
            Command message, SubmittedCommand command, boolean own, Consumer<ProposalResult> done) {
        this(message, command, own, ProposalTrace.NONE, done);
    }

    /** Creates a client's proposal without a trace. */
    public Proposal(Command message, SubmittedCommand command, Consumer<ProposalResult> done) {
        this(message, command, false, ProposalTrace.NONE, done);
    }

    public int sizeBytes() {
        return LogEntryCodec.sizeBytes(message);
    }
}
