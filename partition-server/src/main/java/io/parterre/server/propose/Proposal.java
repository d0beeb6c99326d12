package io.parterre.server.propose;

import io.parterre.proto.range.Command;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.SubmittedCommand;
import java.util.function.Consumer;

/**
 * A command on its way into the log.
 *
 * @param message as it will stand in the log
 * @param command the same, decoded
 * @param own whether it is the range's own: those are few, and what clients have waiting must not
 *     keep a range from what would relieve it
 * @param trace told how far it has come
 * @param done told once how it ended, on the proposer's thread: must not block
 */
public record Proposal(
        Command message,
        SubmittedCommand command,
        boolean own,
        ProposalTrace trace,
        Consumer<ProposalResult> done) {
    /** One that is not traced. */
    public Proposal(
            Command message, SubmittedCommand command, boolean own, Consumer<ProposalResult> done) {
        this(message, command, own, ProposalTrace.NONE, done);
    }

    /** Of a client. */
    public Proposal(Command message, SubmittedCommand command, Consumer<ProposalResult> done) {
        this(message, command, false, ProposalTrace.NONE, done);
    }

    public int sizeBytes() {
        return LogEntryCodec.sizeBytes(message);
    }
}
