package io.parterre.server.raft;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.replica.Neighbourhood;

/** Around a replica that is the only one. */
final class NoNeighbours implements Neighbourhood {
    @Override
    public void childCreated(HostedRange child) {}

    @Override
    public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
        throw new IllegalStateException("neighbour " + right);
    }

    @Override
    public void absorbed(RangeId rangeId) {}
}
