package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.command.Member;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decision of a range's leader about a Raft group whose members differ from those of the descriptor
 * while no change of members is under way: a change was begun and never recorded.
 *
 * @param step what the leader does
 * @param members members of the group or of the descriptor after the step; empty for {@link
 *     Step#NOTHING}
 */
public record GroupAlignment(Step step, Set<NodeId> members) {
    private static final GroupAlignment NOTHING = new GroupAlignment(Step.NOTHING, Set.of());

    /** Step that the leader takes. */
    public enum Step {
        /** Group and descriptor have the same members, or the group is changing. */
        NOTHING,
        /**
         * The group has members that the descriptor lacks. They are removed, because the manager
         * does not count on them and has their nodes delete the replicas.
         */
        CONFIGURE,
        /**
         * The group lacks members of the descriptor. The missing ones have had no vote for a while
         * and may be gone, so they are not added again. The descriptor follows the group, and the
         * manager replaces them.
         */
        RECORD,
        /** The descriptor lacks the leader itself, so another member has to lead first. */
        HAND_OVER
    }

    public GroupAlignment {
        members = Set.copyOf(members);
    }

    /**
     * Decides on the node that leads. Pure.
     *
     * @param described members of the descriptor
     * @param current members of the Raft group
     * @param previous members before the change that is under way; empty if there is none
     */
    public static GroupAlignment of(
            Set<NodeId> described, Set<NodeId> current, Set<NodeId> previous, NodeId self) {
        if (!previous.isEmpty() || current.equals(described)) {
            return NOTHING;
        }
        Set<NodeId> both = new HashSet<>(described);
        both.retainAll(current);
        if (both.isEmpty()) {
            // No described member has a vote, which a single leader must not repair.
            return NOTHING;
        }
        if (!both.contains(self)) {
            return new GroupAlignment(Step.HAND_OVER, both);
        }
        return new GroupAlignment(both.equals(current) ? Step.RECORD : Step.CONFIGURE, both);
    }

    /**
     * Returns a driver for this step; empty for a hand-over, which is carried out without a driver,
     * and if there is nothing to do.
     *
     * @param range the range as described
     * @param configureMax time for the change of the group
     * @param commandMax time for the record to be applied
     */
    public Optional<ChangeDriver<?>> driver(
            HostedRange range, Duration configureMax, Duration commandMax) {
        RangeId rangeId = range.descriptor().rangeId();
        List<Member> kept =
                range.members().stream()
                        .filter(member -> members.contains(member.nodeId()))
                        .toList();
        return switch (step) {
            case CONFIGURE ->
                    Optional.of(new MemberDriver(rangeId, kept, Optional.empty(), configureMax));
            case RECORD ->
                    Optional.of(
                            MemberDriver.recording(
                                    rangeId,
                                    new MemberChange(range.descriptor().generation(), kept),
                                    commandMax));
            case NOTHING, HAND_OVER -> Optional.empty();
        };
    }
}
