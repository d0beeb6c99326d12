package io.parterre.server.replica;

import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;

/**
 * The other replicas of a node, as one of them needs them when its range is split, or absorbs its
 * neighbour. Called by threads that apply, so nothing here waits.
 */
public interface Neighbourhood extends FrozenRange.Neighbours {
    /** A child of the range is born on this node: its rows are there, the range has not shrunk. */
    void childCreated(HostedRange child);

    /** A range no longer exists: the one that has absorbed it has its keys by now. */
    void absorbed(RangeId rangeId);
}
