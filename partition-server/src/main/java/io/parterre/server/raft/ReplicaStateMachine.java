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
import io.parterre.server.replica.RangeNews;
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
 * What Ratis asks and tells of a replica. Entries are applied on the one thread that Ratis has for
 * it, which waits for no other range: see {@link DeferredEntries}.
 *
 * <p>A snapshot in Ratis's sense is what a flush of the store has made durable: it is only looked
 * up here, and the log is dropped no further than that.
 */
public final class ReplicaStateMachine extends BaseStateMachine
        implements DurableLog.Owner, FollowerListener {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStateMachine.class);

    /** Outcomes reach their proposers otherwise, see {@link ProposedEntry#applied}. */
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
        // Ratis asks before it initializes.
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
                        new RangeNews(rangeId, node, watch, crash),
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

    /** What it is applied to. */
    public AppliedRows rows() {
        return rows;
    }

    /** Keys that are not to be read now. */
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

    /** Followers that lack what they had acknowledged to this replica as their leader. */
    RegressedFollowers regressed() {
        return regressed;
    }

    /** Members whose rows are others than those of most, and whether this replica is one. */
    DifferingMembers differing() {
        return differing;
    }

    /** Tells these what Raft's threads of this range take and hear; before its group is started. */
    void tells(CpuMeter meter, ReadPermission permission) {
        cpu = Optional.of(meter);
        reads = Optional.of(permission);
    }

    @Override
    public void followerTook() {
        reads.ifPresent(ReadPermission::taken);
    }

    /** From here on an end of the group is as it should be. */
    void ending() {
        group.on(GroupLife.Event.END_ASKED);
        rows.ending();
        deferred.signal();
    }

    /** What it applies later. */
    public DeferredEntries deferred() {
        return deferred;
    }

    /** Its part in the Raft group. */
    public ReplicaGroup group() {
        return group;
    }

    /** Its log, as far as it may go. */
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
        TransactionContext.Builder transaction =
                TransactionContext.newBuilder().setStateMachine(this).setClientRequest(request);
        if (request.getMessage() instanceof EntryMessage message) {
            return transaction.setStateMachineContext(message.entry()).build();
        }
        // Ratis also listens for clients of its own; nothing of theirs gets into the log.
        return transaction
                .build()
                .setException(new IOException("commands come through the RangeService only"));
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

    /** On Ratis's log writer, before it writes what it has taken and syncs it. */
    @Override
    public CompletableFuture<Void> flush(long index) {
        durableLog.writing();
        cpu.ifPresent(loggingCpu::count);
        crash.reached(CrashPoint.BEFORE_LOG_SYNC);
        return super.flush(index);
    }

    /** Before Ratis's log writer cuts entries off; it waits for the result when it has. */
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

    /** Entries of Ratis's own move the position too. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        deferred.pass(new AppliedPosition(term, index));
    }

    /** Ratis drops its log up to the index returned. It asks on the thread that applies. */
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
     * The leader's log no longer reaches back to where this replica stands. Ratis asks for the
     * result again and again; until it is there, nothing is appended.
     */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex first) {
        return copies.install(role, first);
    }

    /** Puts copies in the place of its rows. */
    public CopyIntake copies() {
        return copies;
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Ratis goes on from {@link #getLatestSnapshot}; its log up to there is gone. */
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
            // It reads only once it has applied what it appended when it led before.
            pendingSplits.settled();
        }
        node.changed();
    }

    /**
     * Too early while entries are deferred: {@link Replica#isLeading} follows once they are not.
     */
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
