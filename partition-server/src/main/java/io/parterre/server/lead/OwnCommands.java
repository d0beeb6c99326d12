package io.parterre.server.lead;

import io.parterre.proto.range.Command;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/** Commands of a range's own leader, under a sender of the node's own. Safe for any thread. */
public final class OwnCommands {
    /** For how long a change waits for one of its commands. */
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final long senderId;
    private final AtomicLong sequences = new AtomicLong();

    /**
     * Commands of this node.
     *
     * @param senderId random for each start, names them in the logs
     */
    public OwnCommands(long senderId) {
        this.senderId = senderId;
    }

    /** Gives a command its name; to be proposed at once, since names of others make it settled. */
    public Command named(Command.Builder command) {
        long sequence = sequences.incrementAndGet();
        return command.setSenderId(senderId)
                .setSequence(sequence)
                .setSettledBelow(sequence)
                .build();
    }

    /**
     * Proposes a command.
     *
     * @param done told once how it ended, on the proposer's thread or this one
     */
    public void propose(LedReplica replica, Command command, Consumer<ProposalResult> done) {
        replica.propose(new Proposal(command, CommandCodec.fromProto(command), true, done));
    }
}
