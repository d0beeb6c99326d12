package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import java.util.List;
import java.util.Optional;

/**
 * A range as a node sees it whose replica leads it, or did a moment ago.
 *
 * @param leading whether it leads, and has applied everything acknowledged before it did
 * @param leader who leads, as far as it knows
 * @param appliedIndex last log entry applied; what it did is in the range
 * @param syncedIndex last one that is applied and on this node's disk as an entry; -1: not known
 * @param followers the other members; empty if it does not lead
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
