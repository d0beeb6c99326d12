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

/**
 * A range that this node holds or is ordered to hold, with the nodes of all its members. Immutable.
 */
public record HostedRange(RangeDescriptor descriptor, List<Member> members) {
    public HostedRange {
        members = List.copyOf(members);
        Set<NodeId> known = members.stream().map(Member::nodeId).collect(Collectors.toSet());
        if (!known.containsAll(descriptor.members())) {
            throw new IllegalArgumentException(
                    "members: " + known + " (expected: all of " + descriptor.members() + ")");
        }
    }

    /** Returns the range one generation later, with these members. */
    HostedRange withMembers(List<Member> changed) {
        return new HostedRange(
                new RangeDescriptor(
                        descriptor.rangeId(),
                        descriptor.bounds(),
                        descriptor.generation().next(),
                        changed.stream().map(Member::nodeId).toList()),
                changed);
    }

    /**
     * Returns what remains of the range after a split: one generation later, up to the first split
     * point.
     */
    HostedRange upTo(Key splitPoint) {
        return part(descriptor.rangeId(), new KeyRange(descriptor.bounds().start(), splitPoint));
    }

    /**
     * Returns a child of a split, with the members of this range and the same generation as {@link
     * #upTo}.
     */
    HostedRange child(RangeId childId, KeyRange bounds) {
        return part(childId, bounds);
    }

    /** Returns the range with other bounds and everything else unchanged. */
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

    /** Returns the range one generation later, frozen for a left neighbour. */
    HostedRange frozen(RangeId leftId, Generation leftAt) {
        return new HostedRange(descriptor.frozen(leftId, leftAt), members);
    }

    /** Returns the range one generation later, not frozen. */
    HostedRange thawed() {
        return part(descriptor.rangeId(), descriptor.bounds());
    }

    /** Returns the range after it has absorbed its right neighbour. */
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

    /** Returns the member on the given node; empty if that node is no member. */
    public Optional<Member> member(NodeId nodeId) {
        return members.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }
}
