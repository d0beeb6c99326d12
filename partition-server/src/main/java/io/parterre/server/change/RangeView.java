package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import java.util.List;
import java.util.Optional;

/**
 * A range as seen by a node whose replica leads it, or did a moment ago.
 *
 * @param leading whether the replica leads and has applied everything acknowledged before it did
 * @param leader the leader, as far as the replica knows
 * @param appliedIndex last applied log entry; its effect is in {@code range}
 * @param syncedIndex last entry that is applied and in the log on this node's disk; -1 if unknown
 * @param followers the other members; empty if the replica does not lead
 */
public record RangeView(
        HostedRange range,
        boolean leading,
        Optional<NodeId> leader,
        long appliedIndex,
        long syncedIndex,
        List<FollowerState> followers) {
    public RangeView {
        followers = List.copyOf(followers);
    }

    RangeDescriptor descriptor() {
        return range.descriptor();
    }
}
