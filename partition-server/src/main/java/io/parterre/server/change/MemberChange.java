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
 * A change of a range's members, as ordered. The Raft group changes first, then the range's log
 * records the members. What is left to do follows from group and descriptor, so that an order may
 * repeat and another leader may continue.
 *
 * @param from generation of the descriptor that is changed
 * @param members all members after the change
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

    /** The next step of the change. */
    public enum Step {
        /** Give the Raft group its new members. */
        CONFIGURE,
        /** The group has its new members: record them. */
        RECORD,
        /** The change is complete. */
        DONE,
        /** The descriptor is past the order's generation, not there yet, or frozen. */
        OTHER_GENERATION,
        /** The leader would have to remove itself, so another member has to lead first. */
        WITHOUT_LEADER,
        /** An earlier change of the group is still under way. */
        UNDER_WAY;

        /** Whether the leader has something to do now. */
        public boolean isWork() {
            return this == CONFIGURE || this == RECORD;
        }
    }

    /**
     * Returns a driver for a step; empty if the step is no work.
     *
     * @param configureMax time for a new member to get all data
     * @param commandMax time for the record to be applied
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
     * Decides the next step, on the node that leads.
     *
     * @param current members of the Raft group
     * @param previous members before the change that is under way; empty if there is none
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
