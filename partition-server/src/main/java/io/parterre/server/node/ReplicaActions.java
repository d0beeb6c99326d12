package io.parterre.server.node;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.replica.CopyTarget;
import io.parterre.server.replica.NodeActions;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.StoreFailure;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * Passes actions that replicas ask for to the responsible parts of the node. Safe for any thread.
 *
 * @param onFailure called with a failure that must end the node
 * @param onChange called after a change that managers have to hear of
 */
record ReplicaActions(
        ReplicaQuarantine quarantine,
        ReplicaInstaller installer,
        ChildStarter childStarter,
        AbsorbedCleanup absorbedCleanup,
        Consumer<StoreFailure> onFailure,
        Runnable onChange)
        implements NodeActions {
    @Override
    public void changed() {
        onChange.run();
    }

    @Override
    public void failed(StoreFailure failure) {
        onFailure.accept(failure);
    }

    @Override
    public void childrenCreated(RangeId parentId, List<RangeId> childIds) {
        childStarter.begin(childIds, parentId);
    }

    @Override
    public void removeAbsorbed(RangeId rangeId) {
        absorbedCleanup.begin(rangeId);
    }

    @Override
    public CompletableFuture<Optional<AppliedPosition>> bringCopy(
            CopyTarget replica, NodeId leader, String leaderAddress, long firstIndex) {
        return installer.install(replica, leader, leaderAddress, firstIndex);
    }

    @Override
    public boolean needsCopy(RangeId rangeId, String why) {
        return quarantine.needsCopy(rangeId, why);
    }

    @Override
    public boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure) {
        return quarantine.quarantine(rangeId, entry, failure);
    }

    @Override
    public Set<AppliedPosition> skipped(RangeId rangeId) {
        return quarantine.skipped(rangeId);
    }
}
