package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import java.time.Duration;
import java.util.List;
import org.slf4j.event.Level;

/** What a {@link ChangeDriver} wants done. */
public sealed interface ChangeEffect {
    /**
     * Offers a command to a range's log, under a new name; ends with {@link ChangeEvent.Applied} or
     * {@link ChangeEvent.NotApplied}.
     */
    record Propose(RangeId rangeId, ReplicaCommand command) implements ChangeEffect {}

    /**
     * Offers a command once more under the same name, so that it has no further effect: followers
     * hear that an entry is committed with the next one. How that ends is not told.
     */
    record Repeat(RangeId rangeId, ReplicaCommand command) implements ChangeEffect {}

    /**
     * Asks another member how far its replica has applied its log; ends with {@link
     * ChangeEvent.MemberAt} or {@link ChangeEvent.MemberFailed}.
     *
     * @param index the member waits until it has applied this entry
     * @param waitMax for that long at most
     */
    record AskMember(Member member, RangeId rangeId, long index, Duration waitMax)
            implements ChangeEffect {}

    /**
     * Gives a range's Raft group other members; ends with {@link ChangeEvent.Configured} or {@link
     * ChangeEvent.NotConfigured}.
     *
     * @param recorded whether the descriptor is to follow
     */
    record Configure(RangeId rangeId, List<Member> members, boolean recorded)
            implements ChangeEffect {
        public Configure {
            members = List.copyOf(members);
        }
    }

    /**
     * Has another member lead, once; ends with {@link ChangeEvent.Transferred} or {@link
     * ChangeEvent.NotTransferred}.
     */
    record Transfer(RangeId rangeId, NodeId target) implements ChangeEffect {}

    /** Has the range's first election now, if there was none; nothing is told of it. */
    record StandForElection(RangeId rangeId) implements ChangeEffect {}

    /** Begins a transfer of leadership as a change of its own, unless one is under way. */
    record BeginTransfer(RangeId rangeId, NodeId target) implements ChangeEffect {}

    /** A child that is started is led here. */
    record Led(RangeId rangeId, long afterNanos) implements ChangeEffect {}

    /** Goes to the log of the process. */
    record Tell(Level level, String line) implements ChangeEffect {}

    /**
     * The change has ended; comes last.
     *
     * @param changed whether it did anything
     */
    record End(boolean changed) implements ChangeEffect {}

    /** The change has failed; comes last. */
    record Fail(Throwable failure) implements ChangeEffect {}
}
