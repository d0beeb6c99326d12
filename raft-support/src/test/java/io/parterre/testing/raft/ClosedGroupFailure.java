package io.parterre.testing.raft;

import io.parterre.raftlink.LostThread;
import io.parterre.testing.ExpectedFailure;

/** Of any test that stops a node or removes a replica. */
public final class ClosedGroupFailure implements ExpectedFailure {
    /** Used as a service. */
    public ClosedGroupFailure() {}

    @Override
    public boolean test(Throwable failure) {
        return LostThread.isOfClosedGroup(failure);
    }
}
