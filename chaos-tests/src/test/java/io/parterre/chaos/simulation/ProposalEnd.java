package io.parterre.chaos.simulation;

import io.parterre.range.NodeId;
import io.parterre.server.apply.Outcome;
import java.util.Optional;

/** What became of a command that a replica was asked to propose. */
sealed interface ProposalEnd {
    record Applied(Outcome outcome) implements ProposalEnd {}

    /** Nothing was written. */
    record NotLeader(Optional<NodeId> hint) implements ProposalEnd {}

    /** It may be in the log. */
    record InDoubt() implements ProposalEnd {}
}
