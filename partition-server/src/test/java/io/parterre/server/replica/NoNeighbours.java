package io.parterre.server.replica;

import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;

/** Around a replica that is the only one. */
public final class NoNeighbours implements Neighbourhood {
    @Override
    public void childCreated(HostedRange child) {}

    @Override
    public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
        throw new IllegalStateException("neighbour " + right);
    }

    @Override
    public void absorbed(RangeId rangeId) {}
}
