package io.parterre.server.change;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A change of a range's members, as ordered: first the Raft group gets them, then the range's log
 * records that it has. What is still to be done follows from where both stand, so that an order may
 * come again and another leader may go on.
 *
 * @param from generation of the descriptor that is changed
 * @param members all of the changed one
 */
public record MemberChange(Generation from, List<Member> members) {
    public MemberChange {
        members = List.copyOf(members);
        long distinct = members.stream().map(Member::nodeId).distinct().count();
        if (members.isEmpty() || distinct != members.size()) {
            throw new IllegalArgumentException(
                    "members: " + members + " (expected: at least one, none twice)");
        }
    }

    /** What is to be done next. */
    public enum Step {
        /** Give the Raft group its new members. */
        CONFIGURE,
        /** It has them: record it. */
        RECORD,
        /** Everything is done. */
        DONE,
        /** The descriptor has moved on, or has not come that far. */
        OTHER_GENERATION,
        /** The leader would have to take itself out; another one has to lead first. */
        WITHOUT_LEADER,
        /** An earlier change of the group is still under way. */
        UNDER_WAY;

        /** Whether there is something to do now. */
        public boolean isWork() {
            return this == CONFIGURE || this == RECORD;
        }
    }

    /**
     * Does a step; empty if that is no work.
     *
     * @param configureMax for a new member to get all data
     * @param commandMax for the record to be applied
     */
    public Optional<ChangeDriver<?>> driver(
            Step step, RangeId rangeId, Duration configureMax, Duration commandMax) {
        CommandDriver record = MemberDriver.recording(rangeId, this, commandMax);
        return switch (step) {
            case CONFIGURE ->
                    Optional.of(
                            new MemberDriver(rangeId, members, Optional.of(record), configureMax));
            case RECORD -> Optional.of(record);
            case DONE, OTHER_GENERATION, WITHOUT_LEADER, UNDER_WAY -> Optional.empty();
        };
    }

    /**
     * What is to be done, on the node that leads.
     *
     * @param current members of the Raft group
     * @param previous members it had before, while it changes; else empty
     */
    public Step next(
            RangeDescriptor descriptor, Set<NodeId> current, Set<NodeId> previous, NodeId self) {
        Set<NodeId> wanted = members.stream().map(Member::nodeId).collect(Collectors.toSet());
        boolean recorded =
                descriptor.generation().equals(from.next())
                        && Set.copyOf(descriptor.members()).equals(wanted);
        if (recorded) {
            return Step.DONE;
        }
        if (!descriptor.generation().equals(from) || descriptor.isFrozen()) {
            return Step.OTHER_GENERATION;
        }
        if (!wanted.contains(self)) {
            return Step.WITHOUT_LEADER;
        }
        if (!previous.isEmpty()) {
            return Step.UNDER_WAY;
        }
        return current.equals(wanted) ? Step.RECORD : Step.CONFIGURE;
    }
}
