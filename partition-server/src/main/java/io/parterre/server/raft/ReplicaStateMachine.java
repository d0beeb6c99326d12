package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.raftlink.DurableLog;
import io.parterre.raftlink.FollowerListener;
import io.parterre.raftlog.LogFolder;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.load.OwnThreadCpu;
import io.parterre.server.log.LogShare;
import io.parterre.server.members.DifferingMembers;
import io.parterre.server.members.RegressedFollowers;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposedEntry;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.replica.NodeActions;
import io.parterre.server.replica.PendingSplits;
import io.parterre.server.replica.RangeChangeReporter;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.SnapshotInfo;
import org.apache.ratis.statemachine.TransactionContext;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.statemachine.impl.FileListSnapshotInfo;
import org.apache.ratis.util.LifeCycle;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state machine through which Ratis drives a replica. Entries are applied on Ratis's single
 * thread for that, which waits for no other range: see {@link DeferredEntries}.
 *
 * <p>A snapshot in Ratis's sense is what a flush of the store has made durable. It is only looked
 * up here, and the log is dropped no further than that.
 */
public final class ReplicaStateMachine extends BaseStateMachine
        implements DurableLog.Owner, FollowerListener {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStateMachine.class);

    /** Outcomes reach their proposers another way, see {@link ProposedEntry#applied}. */
    private static final CompletableFuture<Message> ANSWER =
            CompletableFuture.completedFuture(Message.EMPTY);

    private final RangeId rangeId;
    private final AppliedRows rows;
    private final ReplicaGroup group;
    private final NodeActions node;
    private final LogDisposal log;
    private final PendingSplits pendingSplits = new PendingSplits();
    private final RegressedFollowers regressed = new RegressedFollowers();
    private final DifferingMembers differing = new DifferingMembers();
    private final DeferredEntries deferred;
    private final CopyIntake copies;
    private final CrashHook<CrashPoint> crash;
    private final DurableLog durableLog =
            new DurableLog(index -> this.segments.orElseThrow().syncCut(index));
    private final OwnThreadCpu applyingCpu = new OwnThreadCpu();
    private final OwnThreadCpu loggingCpu = new OwnThreadCpu();
    private volatile Optional<CpuMeter> cpu = Optional.empty();
    private volatile Optional<ReadPermission> reads = Optional.empty();
    private volatile Optional<LogFolder> segments = Optional.empty();

    ReplicaStateMachine(
            AppliedRows rows,
            RaftConfig config,
            LogShare logShare,
            ServerStore store,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker,
            NeighbourWatch watch,
            NodeActions node,
            CrashHook<CrashPoint> crash) {
        this.rangeId = rows.range().descriptor().rangeId();
        this.rows = rows;
        this.node = node;
        this.crash = crash;
        // Ratis asks for the position before it initializes the state machine.
        startFrom(rows.applied());
        this.group = new ReplicaGroup(rangeId, getServer(), nanoTicker, node::failed);
        this.log = new LogDisposal(rows, group, store, config, logShare, nanoTicker, crash);
        this.copies = new CopyIntake(rows, group, node, differing, nanoTicker);
        EntryApplier applier =
                new EntryApplier(
                        rows,
                        group,
                        log,
                        pendingSplits,
                        new RangeChangeReporter(rangeId, node, watch, crash),
                        node,
                        applied -> updateLastAppliedTermIndex(applied.term(), applied.index()),
                        metrics,
                        nanoTicker,
                        crash);
        this.deferred =
                new DeferredEntries(
                        rangeId,
                        group,
                        applier,
                        index -> group.division().getRaftLog().get(index),
                        watch,
                        node::changed);
    }

    private void startFrom(AppliedPosition position) {
        setLastAppliedTermIndex(TermIndex.valueOf(position.term(), position.index()));
    }

    /** The rows to which the log is applied. */
    public AppliedRows rows() {
        return rows;
    }

    /** Keys that must not be read now. */
    PendingSplits pendingSplits() {
        return pendingSplits;
    }

    @Override
    public void followerJoins(String peerId) {
        regressed.joins(new NodeId(peerId));
        differing.joins(new NodeId(peerId));
    }

    @Override
    public void followerRegressed(String peerId, long acknowledgedIndex) {
        regressed.regressed(new NodeId(peerId), acknowledgedIndex);
    }

    /** Followers that lack entries which they had acknowledged to this replica as their leader. */
    RegressedFollowers regressed() {
        return regressed;
    }

    /**
     * Members whose rows differ from those of most members, and whether this replica is one of
     * them.
     */
    DifferingMembers differing() {
        return differing;
    }

    /** Sets what Raft's threads of this range report to; called before its group is started. */
    void tells(CpuMeter meter, ReadPermission permission) {
        cpu = Optional.of(meter);
        reads = Optional.of(permission);
    }

    @Override
    public void followerTook() {
        reads.ifPresent(ReadPermission::taken);
    }

    /** Requests the end of the group: from here on its end is expected. */
    void ending() {
        group.on(GroupLife.Event.END_ASKED);
        rows.ending();
        deferred.signal();
    }

    /** The entries that are applied later. */
    public DeferredEntries deferred() {
        return deferred;
    }

    /** The replica's membership in its Raft group. */
    public ReplicaGroup group() {
        return group;
    }

    /** Decides how far the log may be dropped. */
    public LogDisposal log() {
        return log;
    }

    @Override
    public void initialize(RaftServer server, RaftGroupId groupId, RaftStorage storage)
            throws IOException {
        super.initialize(server, groupId, storage);
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
        Path folder = storage.getStorageDir().getCurrentDir().toPath();
        segments = Optional.of(new LogFolder(folder));
        log.found(folder);
    }

    @Override
    public TransactionContext startTransaction(RaftClientRequest request) {
        return EntryMessage.begin(this, request);
    }

    @Override
    public TransactionContext preAppendTransaction(TransactionContext transaction) {
        if (transaction.getStateMachineContext() instanceof ProposedEntry entry) {
            crash.reached(CrashPoint.BEFORE_LOG_APPEND);
            pendingSplits.appended(entry.entry());
            entry.markAppended();
        }
        return transaction;
    }

    /**
     * Runs on Ratis's log writer, before the writer writes and syncs the entries that it has taken.
     */
    @Override
    public CompletableFuture<Void> flush(long index) {
        durableLog.writing();
        cpu.ifPresent(loggingCpu::count);
        crash.reached(CrashPoint.BEFORE_LOG_SYNC);
        return super.flush(index);
    }

    /**
     * Runs before Ratis's log writer truncates the log; the writer waits for the result afterwards.
     */
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
        deferred.apply(
                transaction.getLogEntry(),
                transaction.getStateMachineContext() instanceof ProposedEntry own
                        ? Optional.of(own)
                        : Optional.empty());
        cpu.ifPresent(applyingCpu::count);
        return ANSWER;
    }

    /** Moves the applied position past entries of Ratis's own. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        deferred.pass(new AppliedPosition(term, index));
    }

    /** Returns the index up to which Ratis drops its log. Called on the applying thread. */
    @Override
    public long takeSnapshot() throws IOException {
        if (group.hasStopped()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        try {
            return log.droppedWithSnapshot();
        } catch (RuntimeException | Error failure) {
            group.failed("purge of the log", getLastAppliedTermIndex().getIndex(), failure);
            return RaftLog.INVALID_LOG_INDEX;
        }
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        AppliedPosition position = rows.durable();
        return position.index() < 0
                ? null
                : new FileListSnapshotInfo(
                        List.of(), TermIndex.valueOf(position.term(), position.index()));
    }

    /**
     * Called when the leader's log no longer reaches back to this replica's position. Ratis asks
     * for the result again and again; until there is one, nothing is appended.
     */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex first) {
        return copies.install(role, first);
    }

    /** Replaces the replica's rows by copies. */
    public CopyIntake copies() {
        return copies;
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Ratis starts again from {@link #getLatestSnapshot}; its log up to there is gone. */
    @Override
    public void reinitialize() {
        deferred.end();
        AppliedPosition position = rows.durable();
        startFrom(position);
        log.restart(position.index());
        copies.reloaded();
        getLifeCycle().transition(LifeCycle.State.STARTING);
        getLifeCycle().transition(LifeCycle.State.RUNNING);
    }

    @Override
    public void notifyLeaderChanged(RaftGroupMemberId member, RaftPeerId leader) {
        LOG.info("leader changed rangeId={} leader={}", rangeId, leader);
        regressed.clear();
        differing.leaderChanged();
        if (leader.equals(member.getPeerId())) {
            // This replica reads only once it has applied what it appended in an earlier
            // leadership.
            pendingSplits.settled();
        }
        node.changed();
    }

    /** Comes too early while entries are deferred: {@link Replica#isLeading} follows later. */
    @Override
    public void notifyLeaderReady() {
        LOG.info("leads rangeId={} appliedIndex={}", rangeId, getLastAppliedTermIndex().getIndex());
        node.changed();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        group.logFailed(cause);
    }

    @Override
    public void close() {
        deferred.end();
        rows.close();
        group.closed();
    }
}
