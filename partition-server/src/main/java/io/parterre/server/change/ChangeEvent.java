package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.ReplicaCommand;
import java.util.Optional;

/** What a {@link ChangeDriver} hears of. */
public sealed interface ChangeEvent {
    /** The change begins; comes once, before all others. */
    record Begun() implements ChangeEvent {}

    /** The time that the last step asked for has come. */
    record Woken() implements ChangeEvent {}

    /** A command that was proposed is committed, and applied on this node. */
    record Applied(ReplicaCommand command, Outcome outcome) implements ChangeEvent {}

    /** It is not known whether a command will ever be applied, or known that it will not. */
    record NotApplied(ReplicaCommand command, Throwable failure) implements ChangeEvent {}

    /**
     * Another member has answered.
     *
     * @param appliedIndex entries up to here are applied, and on the member's disk as entries
     * @param frozenFor the neighbour that its range is frozen for
     */
    record MemberAt(NodeId nodeId, long appliedIndex, Optional<RangeId> frozenFor)
            implements ChangeEvent {}

    /** Another member has not answered, or has no such replica. */
    record MemberFailed(NodeId nodeId, Throwable failure) implements ChangeEvent {}

    /** The range's Raft group has the members that it was to have. */
    record Configured() implements ChangeEvent {}

    /** It has not, as far as is known. */
    record NotConfigured(Throwable failure) implements ChangeEvent {}

    /** Another member leads. */
    record Transferred() implements ChangeEvent {}

    /** Raft calls a transfer of leadership failed, which may yet have succeeded. */
    record NotTransferred(Throwable failure) implements ChangeEvent {}
}
