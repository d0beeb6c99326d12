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
 * Whether all members of a range have applied its log up to an entry, as far as this node has
 * heard.
 *
 * @param frozenFor what the members' replicas are to be frozen for
 * @param missing members that are not known to be there
 * @param failure of one of them
 */
record MemberLevels(
        long index, Optional<RangeId> frozenFor, Set<NodeId> missing, Optional<Throwable> failure) {
    MemberLevels {
        missing = Set.copyOf(missing);
    }

    /** None is known to be where this node is, not even its own disk. */
    static MemberLevels of(RangeView range) {
        return new MemberLevels(
                range.appliedIndex(),
                range.descriptor().frozenFor(),
                range.range().members().stream().map(Member::nodeId).collect(Collectors.toSet()),
                Optional.empty());
    }

    /** Asks the others. */
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

    /** What a majority has on disk is applied, and this node's disk may be slower. */
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
