package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether all members of a range have applied its log up to an entry, as far as this node knows.
 *
 * @param frozenFor the neighbour for which the members' replicas have to be frozen; empty: not
 *     frozen
 * @param missing members that are not known to have reached the entry
 * @param failure failure of a member; empty if none failed
 */
record MemberLevels(
        long index, Optional<RangeId> frozenFor, Set<NodeId> missing, Optional<Throwable> failure) {
    MemberLevels {
        missing = Set.copyOf(missing);
    }

    /**
     * Creates the question whether all members are as far as this node is. None is known to be, not
     * even this node's own disk.
     */
    static MemberLevels of(RangeView range) {
        return new MemberLevels(
                range.appliedIndex(),
                range.descriptor().frozenFor(),
                range.range().members().stream().map(Member::nodeId).collect(Collectors.toSet()),
                Optional.empty());
    }

    /** Returns questions to the other members. */
    ChangeEffect[] questions(RangeView range, NodeId self, Duration waitMax) {
        List<Member> members = range.range().members();
        return members.stream()
                .filter(member -> !member.nodeId().equals(self))
                .map(
                        member ->
                                new ChangeEffect.AskMember(
                                        member, range.descriptor().rangeId(), index, waitMax))
                .toArray(ChangeEffect[]::new);
    }

    /** An entry is applied once a majority has it on disk, and this node's disk may be slower. */
    MemberLevels synced(RangeView range, NodeId self) {
        return range.syncedIndex() >= index ? without(self, Optional.empty()) : this;
    }

    MemberLevels after(ChangeEvent event) {
        if (event instanceof ChangeEvent.MemberFailed failed) {
            return without(failed.nodeId(), Optional.of(failed.failure()));
        }
        if (event instanceof ChangeEvent.MemberAt at) {
            boolean there = at.appliedIndex() >= index && at.frozenFor().equals(frozenFor);
            return without(
                    at.nodeId(),
                    there
                            ? Optional.empty()
                            : Optional.of(
                                    new IOException(
                                            "member: " + at + " (expected: at " + index + ")")));
        }
        return this;
    }

    private MemberLevels without(NodeId member, Optional<Throwable> why) {
        Set<NodeId> others = new HashSet<>(missing);
        others.remove(member);
        return new MemberLevels(index, frozenFor, others, failure.or(() -> why));
    }
}
