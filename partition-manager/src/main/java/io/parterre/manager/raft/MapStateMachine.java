package io.parterre.manager.raft;

import io.parterre.crash.CrashHook;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapApply;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapCommandCodec;
import io.parterre.raftlink.DurableLog;
import io.parterre.raftlog.LogFolder;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.NewerReleaseException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftConfigurationProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.StateMachineStorage;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.SimpleStateMachineStorage;
import org.apache.ratis.statemachine.impl.SingleFileSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.apache.ratis.util.ProtoUtils;

/**
 * Holds the map in memory and applies each committed entry to it. The map is immutable and replaced
 * with each change, so any thread may read it. Changes are made on the group's updater thread
 * alone.
 */
final class MapStateMachine extends BaseStateMachine implements DurableLog.Owner {
    private final SimpleStateMachineStorage storage = new SimpleStateMachineStorage();
    private final MapSnapshots snapshots = new MapSnapshots(storage);
    private final MapListener listener;
    private final RaftPeerId self;
    private final CrashHook<MapCrashPoint> crash;
    private final DurableLog durableLog;

    /** Completed with the cause when this replica cannot go on; never by a close of our own. */
    private final CompletableFuture<Throwable> failure = new CompletableFuture<>();

    private volatile ClusterMap map = ClusterMap.EMPTY;
    private volatile boolean closing;

    MapStateMachine(
            RaftPeerId self, MapListener listener, CrashHook<MapCrashPoint> crash, LogFolder log) {
        this.self = self;
        this.listener = listener;
        this.crash = crash;
        this.durableLog = new DurableLog(log::syncCut);
    }

    ClusterMap map() {
        return map;
    }

    CompletableFuture<Throwable> failure() {
        return failure;
    }

    /** Records that this replica cannot go on. */
    void failed(Throwable cause) {
        failure.complete(cause);
    }

    /** Announces that a stop of the group is no failure from now on. */
    void closing() {
        closing = true;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage raftStorage)
            throws IOException {
        getLifeCycle()
                .startAndTransition(
                        () -> {
                            super.initialize(server, groupId, raftStorage);
                            storage.init(raftStorage);
                            load();
                        },
                        IOException.class);
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Called after Ratis stored a snapshot of the leader among the files. */
    @Override
    public void reinitialize() throws IOException {
        load();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    private void load() throws IOException {
        SingleFileSnapshotInfo latest = storage.loadLatestSnapshot();
        if (latest != null) {
            ClusterMap read = MapSnapshots.read(latest);
            try {
                tellLevel(map.featureLevel(), read.featureLevel());
            } catch (NewerReleaseException e) {
                throw new IOException(e.getMessage(), e);
            }
            map = read;
            setLastAppliedTermIndex(latest.getTermIndex());
        }
        listener.replaced(map);
    }

    @Override
    public StateMachineStorage getStateMachineStorage() {
        return storage;
    }

    @Override
    public long takeSnapshot() throws IOException {
        TermIndex at = getLastAppliedTermIndex();
        SingleFileSnapshotInfo latest = storage.getLatestSnapshot();
        if (latest == null || latest.getIndex() < at.getIndex()) {
            crash.reached(MapCrashPoint.MAP_BEFORE_SNAPSHOT);
            snapshots.write(map, at);
            crash.reached(MapCrashPoint.MAP_AFTER_SNAPSHOT);
        }
        return at.getIndex();
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        crash.reached(MapCrashPoint.MAP_BEFORE_APPEND);
        return transaction;
    }

    /** Called on Ratis's log writer before it writes and syncs the pending entries. */
    @Override
    public CompletableFuture<Void> flush(long index) {
        durableLog.writing();
        crash.reached(MapCrashPoint.MAP_BEFORE_SYNC);
        return super.flush(index);
    }

    /** Called before Ratis's log writer truncates the log, which then waits for the result. */
    @Override
    public CompletableFuture<Void> truncate(long index) {
        return durableLog.cut(index);
    }

    @Override
    public DurableLog durableLog() {
        return durableLog;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto entry = transaction.getLogEntry();
        try {
            crash.reached(MapCrashPoint.MAP_BEFORE_APPLY);
            MapCommand command =
                    MapCommandCodec.decode(
                            entry.getStateMachineLogEntry().getLogData().toByteArray());
            MapApply.Applied applied = MapApply.apply(map, command);
            tellLevel(map.featureLevel(), applied.map().featureLevel());
            map = applied.map();
            crash.reached(MapCrashPoint.MAP_AFTER_APPLY);
            updateLastAppliedTermIndex(entry.getTerm(), entry.getIndex());
            applied.delta().ifPresent(listener::changed);
            return CompletableFuture.completedFuture(new OutcomeMessage(applied.outcome()));
        } catch (RuntimeException e) {
            // Otherwise this map would diverge from the others'.
            failure.complete(e);
            throw e;
        }
    }

    private void tellLevel(FeatureLevel before, FeatureLevel now) {
        if (now.isAbove(before)) {
            if (!FeatureLevels.OF_RELEASE.reads(now)) {
                // Later entries may look like known ones and mean something else.
                throw new NewerReleaseException(
                        "the cluster has feature level "
                                + now
                                + " (expected: "
                                + FeatureLevels.OF_RELEASE
                                + ", which this release reads): start the manager with the release"
                                + " that the others run");
            }
            listener.raised(now);
        }
    }

    @Override
    public void notifyLeaderReady() {
        listener.leading();
    }

    @Override
    public void notifyNotLeader(Collection<TransactionContext> pendingEntries) {
        listener.following();
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId memberId, RaftPeerId newLeaderId) {
        if (!self.equals(newLeaderId)) {
            listener.following();
        }
    }

    /**
     * Takes only the members, because during the installation of a snapshot Ratis reports positions
     * that are not applied.
     */
    @Override
    public void notifyConfigurationChanged(
            long term, long index, RaftConfigurationProto configuration) {
        try {
            listener.members(
                    configuration.getPeersList().stream()
                            .map(ProtoUtils::toRaftPeer)
                            .map(GroupPeers::manager)
                            .toList());
        } catch (UncheckedIOException e) {
            failure.complete(e);
        }
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        failure.complete(cause);
    }

    @Override
    public void notifyServerShutdown(RoleInfoProto roleInfo, boolean allServer) {
        stopped();
    }

    @Override
    public void close() throws IOException {
        stopped();
        super.close();
    }

    private void stopped() {
        if (!closing) {
            failure.complete(new GroupEndedException());
        }
    }
}
