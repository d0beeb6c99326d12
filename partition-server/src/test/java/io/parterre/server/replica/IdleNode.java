package io.parterre.server.replica;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.StoreFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A node that does nothing for its replicas. */
public class IdleNode implements NodeActions {
    @Override
    public void changed() {}

    @Override
    public void failed(StoreFailure failure) {}

    @Override
    public void childrenCreated(RangeId parentId, List<RangeId> childIds) {}

    @Override
    public void removeAbsorbed(RangeId rangeId) {}

    @Override
    public CompletableFuture<Optional<AppliedPosition>> bringCopy(
            CopyTarget replica, NodeId leader, String leaderAddress, long firstIndex) {
        return CompletableFuture.completedFuture(Optional.empty());
    }

    @Override
    public boolean needsCopy(RangeId rangeId, String why) {
        return false;
    }

    @Override
    public boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure) {
        return false;
    }

    @Override
    public Set<AppliedPosition> skipped(RangeId rangeId) {
        return Set.of();
    }
}
