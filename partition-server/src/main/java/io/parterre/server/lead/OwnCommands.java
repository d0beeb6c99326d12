package io.parterre.server.lead;

import io.parterre.proto.range.Command;
import io.parterre.server.command.CommandCodec;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Commands that a range's leader proposes itself, under a sender id of the node. Safe for any
 * thread.
 */
public final class OwnCommands {
    /** Longest time for which a change waits for one of its commands. */
    static final Duration WAIT_MAX = Duration.ofSeconds(30);

    private final long senderId;
    private final AtomicLong sequences = new AtomicLong();

    /**
     * Creates the commands of a node.
     *
     * @param senderId sender of the commands in the logs; random for each start
     */
    public OwnCommands(long senderId) {
        this.senderId = senderId;
    }

    /**
     * Gives a command its id. The command must be proposed at once, because a later command's id
     * marks it as settled.
     */
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
     * @param done called once with the result, on the proposer's thread or this one
     */
    public void propose(LedReplica replica, Command command, Consumer<ProposalResult> done) {
        replica.propose(new Proposal(command, CommandCodec.fromProto(command), true, done));
    }
}
