package io.parterre.server.raft;

import io.parterre.proto.range.Command;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.SubmittedCommand;
import java.util.function.Consumer;

/**
 * A command on its way into the log.
 *
 * @param message as it will stand in the log
 * @param command the same, decoded
 * @param done told once how it ended, on the proposer's thread: must not block
 */
public record Proposal(Command message, SubmittedCommand command, Consumer<ProposalResult> done) {
    int sizeBytes() {
        return LogEntryCodec.sizeBytes(message);
    }
}
