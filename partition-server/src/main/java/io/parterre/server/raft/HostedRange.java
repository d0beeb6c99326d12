package io.parterre.server.raft;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.util.List;
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
}
