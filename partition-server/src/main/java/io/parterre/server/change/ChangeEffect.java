package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.List;
import org.slf4j.event.Level;

/** An action that a {@link ChangeDriver} asks its runner for. */
public sealed interface ChangeEffect {
    /**
     * Proposes a command to a range's log under a new command id; ends with {@link
     * ChangeEvent.Applied} or {@link ChangeEvent.NotApplied}.
     */
    record Propose(RangeId rangeId, ReplicaCommand command) implements ChangeEffect {}

    /**
     * Proposes a command once more under the same command id, so that it has no further effect.
     * Followers learn that an entry is committed only with the next entry. No event reports the
     * result.
     */
    record Repeat(RangeId rangeId, ReplicaCommand command) implements ChangeEffect {}

    /**
     * Asks another member how far its replica has applied its log; ends with {@link
     * ChangeEvent.MemberAt} or {@link ChangeEvent.MemberFailed}.
     *
     * @param index the member answers once it has applied this entry
     * @param waitMax longest time for which the member waits
     */
    record AskMember(Member member, RangeId rangeId, long index, Duration waitMax)
            implements ChangeEffect {}

    /**
     * Gives a range's Raft group other members; ends with {@link ChangeEvent.Configured} or {@link
     * ChangeEvent.NotConfigured}.
     *
     * @param recorded whether the descriptor is changed afterwards
     */
    record Configure(RangeId rangeId, List<Member> members, boolean recorded)
            implements ChangeEffect {
        public Configure {
            members = List.copyOf(members);
        }
    }

    /**
     * Transfers leadership to another member, in one attempt; ends with {@link
     * ChangeEvent.Transferred} or {@link ChangeEvent.NotTransferred}.
     */
    record Transfer(RangeId rangeId, NodeId target) implements ChangeEffect {}

    /** Starts the range's first election now, if there was none; no event reports the result. */
    record StandForElection(RangeId rangeId) implements ChangeEffect {}

    /** Begins a transfer of leadership as a change of its own, unless one is under way. */
    record BeginTransfer(RangeId rangeId, NodeId target) implements ChangeEffect {}

    /** Reports that this node leads a child that has been started. */
    record Led(RangeId rangeId, long afterNanos) implements ChangeEffect {}

    /** Writes a line to the log of the process. */
    record Tell(Level level, String line) implements ChangeEffect {}

    /**
     * Ends the change; comes last.
     *
     * @param changed whether the change did anything
     */
    record End(boolean changed) implements ChangeEffect {}

    /** Fails the change; comes last. */
    record Fail(Throwable failure) implements ChangeEffect {}
}
