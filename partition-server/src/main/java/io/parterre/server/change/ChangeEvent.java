package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Outcome;
import io.parterre.server.command.ReplicaCommand;
import java.util.Optional;

/** An event that a {@link ChangeDriver} reacts to. */
public sealed interface ChangeEvent {
    /** The change begins; comes once, before all others. */
    record Begun() implements ChangeEvent {}

    /** The time that the last step asked for has come. */
    record Woken() implements ChangeEvent {}

    /** A proposed command is committed and applied on this node. */
    record Applied(ReplicaCommand command, Outcome outcome) implements ChangeEvent {}

    /** A proposed command will not be applied, or it is not known whether it will be. */
    record NotApplied(ReplicaCommand command, Throwable failure) implements ChangeEvent {}

    /**
     * Another member has answered.
     *
     * @param appliedIndex last applied entry; the entries up to here are also on the member's disk
     * @param frozenFor the neighbour that the member's replica is frozen for; empty if it is not
     *     frozen
     */
    record MemberAt(NodeId nodeId, long appliedIndex, Optional<RangeId> frozenFor)
            implements ChangeEvent {}

    /** Another member has not answered, or has no such replica. */
    record MemberFailed(NodeId nodeId, Throwable failure) implements ChangeEvent {}

    /** The range's Raft group has the members that {@link ChangeEffect.Configure} asked for. */
    record Configured() implements ChangeEvent {}

    /** The range's Raft group does not have these members, as far as is known. */
    record NotConfigured(Throwable failure) implements ChangeEvent {}

    /** The target of the transfer leads. */
    record Transferred() implements ChangeEvent {}

    /** Raft reports a transfer of leadership as failed, although it may have succeeded. */
    record NotTransferred(Throwable failure) implements ChangeEvent {}
}
