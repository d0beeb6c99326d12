package io.parterre.server.apply;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** A range this node is to keep, with the nodes of all its members. */
public record HostedRange(RangeDescriptor descriptor, List<Member> members) {
    public HostedRange {
        members = List.copyOf(members);
        Set<NodeId> known = members.stream().map(Member::nodeId).collect(Collectors.toSet());
        if (!known.containsAll(descriptor.members())) {
            throw new IllegalArgumentException(
                    "members: " + known + " (expected: all of " + descriptor.members() + ")");
        }
    }

    /** The range one generation later, with these members. */
    HostedRange withMembers(List<Member> changed) {
        return new HostedRange(
                new RangeDescriptor(
                        descriptor.rangeId(),
                        descriptor.bounds(),
                        descriptor.generation().next(),
                        changed.stream().map(Member::nodeId).toList()),
                changed);
    }

    /** What the range keeps when it is split: one generation later, up to the first split point. */
    HostedRange upTo(Key splitPoint) {
        return part(descriptor.rangeId(), new KeyRange(descriptor.bounds().start(), splitPoint));
    }

    /** What a child gets when it is split, with the same members and generation. */
    HostedRange child(RangeId childId, KeyRange bounds) {
        return part(childId, bounds);
    }

    /** The same with other bounds. */
    public HostedRange over(KeyRange bounds) {
        return new HostedRange(
                new RangeDescriptor(
                        descriptor.rangeId(),
                        bounds,
                        descriptor.generation(),
                        descriptor.members(),
                        descriptor.frozenFor(),
                        descriptor.frozenAt()),
                members);
    }

    /** The range one generation later, frozen for a neighbour. */
    HostedRange frozen(RangeId leftId, Generation leftAt) {
        return new HostedRange(descriptor.frozen(leftId, leftAt), members);
    }

    /** The range one generation later, not frozen. */
    HostedRange thawed() {
        return part(descriptor.rangeId(), descriptor.bounds());
    }

    /** What it is once it has absorbed its right neighbour. */
    HostedRange widenedBy(RangeDescriptor right, Generation generation) {
        return new HostedRange(
                new RangeDescriptor(
                        descriptor.rangeId(),
                        descriptor.bounds().hull(right.bounds()),
                        generation,
                        descriptor.members()),
                members);
    }

    private HostedRange part(RangeId rangeId, KeyRange bounds) {
        return new HostedRange(
                new RangeDescriptor(
                        rangeId, bounds, descriptor.generation().next(), descriptor.members()),
                members);
    }

    /** The member on this node. */
    public Optional<Member> member(NodeId nodeId) {
        return members.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }
}
