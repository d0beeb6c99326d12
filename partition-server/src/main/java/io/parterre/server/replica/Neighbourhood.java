package io.parterre.server.replica;

import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;

/**
 * The other replicas of a node, for a replica whose range is split or absorbs its neighbour. Called
 * by threads that apply, so nothing here waits.
 */
public interface Neighbourhood extends FrozenRange.Neighbours {
    /**
     * Notes a new child on this node: its rows are there, and the parent's bounds have not shrunk
     * yet.
     */
    void childCreated(HostedRange child);

    /** Notes that a range no longer exists; the range that has absorbed it has its keys already. */
    void absorbed(RangeId rangeId);
}
