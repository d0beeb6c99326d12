package io.parterre.server.apply;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
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

    /** The member on this node. */
    public Optional<Member> member(NodeId nodeId) {
        return members.stream().filter(each -> each.nodeId().equals(nodeId)).findFirst();
    }
}
