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
 * What the leader of a range does about a Raft group whose members are not those of the descriptor,
 * once no change of them is under way: one was begun and never recorded.
 *
 * @param step what is to be done
 * @param members of the group, or of the descriptor, afterwards; empty unless that is changed
 */
public record GroupAlignment(Step step, Set<NodeId> members) {
    private static final GroupAlignment NOTHING = new GroupAlignment(Step.NOTHING, Set.of());

    /** What is to be done. */
    public enum Step {
        /** They are the same, or the group is changing. */
        NOTHING,
        /**
         * The group has more members than the descriptor. They go: the manager counts on none of
         * them, and has their nodes give them up.
         */
        CONFIGURE,
        /**
         * It has fewer. Those that are missing have had no say for a while and may be gone, so they
         * do not come back by themselves: the descriptor follows, and the manager sees to the rest.
         */
        RECORD,
        /** The leader itself is one too many; another one has to lead first. */
        HAND_OVER
    }

    public GroupAlignment {
        members = Set.copyOf(members);
    }

    /**
     * Decides, on the node that leads. Pure.
     *
     * @param described members of the descriptor
     * @param current members of the Raft group
     * @param previous members it had before, while it changes; else empty
     */
    public static GroupAlignment of(
            Set<NodeId> described, Set<NodeId> current, Set<NodeId> previous, NodeId self) {
        if (!previous.isEmpty() || current.equals(described)) {
            return NOTHING;
        }
        Set<NodeId> both = new HashSet<>(described);
        both.retainAll(current);
        if (both.isEmpty()) {
            // Nobody of those who count has a say: not for one leader to mend.
            return NOTHING;
        }
        if (!both.contains(self)) {
            return new GroupAlignment(Step.HAND_OVER, both);
        }
        return new GroupAlignment(both.equals(current) ? Step.RECORD : Step.CONFIGURE, both);
    }

    /**
     * Does what is to be done, but for a hand-over.
     *
     * @param range as it is described
     * @param configureMax for the group to be changed
     * @param commandMax for a record to be applied
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
