package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.raftlink.DurableLog;
import io.parterre.raftlink.FollowerListener;
import io.parterre.raftlog.LogFolder;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.Mutation;
import io.parterre.server.change.FollowerState;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.LogEntryCodec;
import io.parterre.server.command.Member;
import io.parterre.server.command.ReplicaCommand;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.copy.CopyHold;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.load.CpuMeter;
import io.parterre.server.load.OwnThreadCpu;
import io.parterre.server.log.LogShare;
import io.parterre.server.members.DifferingMembers;
import io.parterre.server.members.RegressedFollowers;
import io.parterre.server.metrics.PartitionServerMetrics;
import io.parterre.server.propose.ProposedEntry;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.RaftPeerProto;
import org.apache.ratis.proto.RaftProtos.RoleInfoProto;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftGroupMemberId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.CommitNews;
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
 * Applies a range's log to its rows, on the one thread that Ratis has for it.
 *
 * <p>A snapshot in Ratis's sense is what a flush of the store has made durable: it is only looked
 * up here, and the log is dropped no further than that. An entry that cannot be applied ends the
 * replica, since skipping it would make it differ from the others; where the disk or the memory is
 * at fault, it ends the node, see {@link ApplyFailure}.
 */
final class ReplicaStateMachine extends BaseStateMachine
        implements DurableLog.Owner, FollowerListener {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaStateMachine.class);

    /** Has no outcome: whoever proposed the entry is left in doubt. */
    private static final CompletableFuture<Message> NOT_APPLIED =
            CompletableFuture.completedFuture(Message.EMPTY);

    private final RangeId rangeId;
    private final AppliedRows rows;
    private final ServerStore store;
    private final PartitionServerMetrics metrics;
    private final LongSupplier nanoTicker;
    private final Consumer<StoreFailure> onFailure;
    private final Runnable onChange;
    private final ReplicaInstaller installer;
    private final LogDisposal log;
    private final PendingCut pendingCut = new PendingCut();
    private final RegressedFollowers regressed = new RegressedFollowers();
    private final DifferingMembers differing = new DifferingMembers();
    private final ChildStarter childStarter;
    private final AbsorbedCleanup absorbedCleanup;
    private final Setbacks setbacks;
    private final Set<AppliedPosition> passedOver;
    private final CrashHook<CrashPoint> crash;
    private final DurableLog durableLog = new DurableLog(this::syncCut);
    private final OwnThreadCpu applyingCpu = new OwnThreadCpu();
    private final OwnThreadCpu loggingCpu = new OwnThreadCpu();
    private volatile Optional<CpuMeter> cpu = Optional.empty();
    private volatile Optional<LogFolder> segments = Optional.empty();
    private volatile OptionalLong awaitingReloadNanos = OptionalLong.empty();
    private volatile OptionalLong putOutNanos = OptionalLong.empty();

    private final AtomicReference<GroupLife> life = new AtomicReference<>(GroupLife.STARTING);

    ReplicaStateMachine(
            AppliedRows rows,
            RaftConfig config,
            LogShare logShare,
            ServerStore store,
            PartitionServerMetrics metrics,
            LongSupplier nanoTicker,
            ReplicaInstaller installer,
            ChildStarter childStarter,
            AbsorbedCleanup absorbedCleanup,
            Setbacks setbacks,
            Consumer<StoreFailure> onFailure,
            Runnable onChange,
            CrashHook<CrashPoint> crash) {
        this.rangeId = rows.range().descriptor().rangeId();
        this.rows = rows;
        this.store = store;
        this.metrics = metrics;
        this.nanoTicker = nanoTicker;
        this.onFailure = onFailure;
        this.onChange = onChange;
        this.installer = installer;
        this.childStarter = childStarter;
        this.absorbedCleanup = absorbedCleanup;
        this.setbacks = setbacks;
        this.passedOver = setbacks.passedOver(rangeId);
        this.crash = crash;
        // Ratis asks before it initializes.
        startFrom(rows.applied());
        this.log = new LogDisposal(config, logShare, rows.durable().index());
    }

    private void startFrom(AppliedPosition position) {
        setLastAppliedTermIndex(TermIndex.valueOf(position.term(), position.index()));
    }

    RangeId rangeId() {
        return rangeId;
    }

    /** What it is applied to. */
    AppliedRows rows() {
        return rows;
    }

    /** Keys that are not to be read now. */
    PendingCut pendingCut() {
        return pendingCut;
    }

    @Override
    public void followerJoins(String peerId) {
        NodeId nodeId = new NodeId(peerId);
        regressed.joins(nodeId);
        differing.joins(nodeId);
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

    /** Counts there what Raft's threads of this range take; before its group is started. */
    void countsAt(CpuMeter meter) {
        cpu = Optional.of(meter);
    }

    /** From here on an end of the group is a failure. */
    void serving() {
        become(GroupLife.Event.STARTED);
    }

    /** The state before the event. */
    private GroupLife become(GroupLife.Event event) {
        return life.getAndUpdate(now -> now.on(event));
    }

    /** Its membership in the Raft group. */
    GroupLife life() {
        return life.get();
    }

    /** From here on an end of the group is as it should be. */
    void ending() {
        become(GroupLife.Event.END_ASKED);
        rows.ending();
    }

    /** Whether nothing is applied any more: its rows fall behind what is committed. */
    boolean hasStopped() {
        return life.get().hasStopped();
    }

    /** Whether its end was asked for: who waits for it waits for what it applies now. */
    boolean isEnding() {
        return life.get().isEnding();
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
            pendingCut.appended(entry.entry());
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

    private void syncCut(long index) throws IOException {
        segments.orElseThrow().syncCut(index);
    }

    @Override
    public DurableLog durableLog() {
        return durableLog;
    }

    @Override
    public CompletableFuture<Message> applyTransaction(TransactionContext transaction) {
        LogEntryProto logged = transaction.getLogEntry();
        if (hasStopped()) {
            return NOT_APPLIED;
        }
        AppliedPosition position = new AppliedPosition(logged.getTerm(), logged.getIndex());
        try {
            if (passedOver.contains(position)) {
                passOver(logged, position);
                return NOT_APPLIED;
            }
            rows.mark(position);
            crash.reached(CrashPoint.BEFORE_APPLY);
            long startNanos = nanoTicker.getAsLong();
            Object context = transaction.getStateMachineContext();
            LogEntry entry =
                    context instanceof ProposedEntry own
                            ? own.entry()
                            : LogEntryCodec.decode(
                                    logged.getStateMachineLogEntry()
                                            .getLogData()
                                            .asReadOnlyByteBuffer());
            if (context instanceof ProposedEntry && isWaitedFor(entry)) {
                tellCommitted();
            }
            if (hasFreeze(entry)) {
                crash.reached(CrashPoint.MERGE_FREEZE_COMMITTED);
            }
            AppliedEntry applied = rows.apply(entry, position);
            rows.unmark();
            crash.reached(CrashPoint.AFTER_APPLY);
            updateLastAppliedTermIndex(logged.getTerm(), logged.getIndex());
            pendingCut.applied(entry);
            applied.changes().forEach(this::tell);
            List<RangeId> children = childrenOf(applied);
            if (!children.isEmpty()) {
                childStarter.begin(children, rangeId);
            }
            log.applied(logged.getIndex(), logged.getStateMachineLogEntry().getLogData().size());
            if (context instanceof ProposedEntry own && !applied.outcomes().isEmpty()) {
                own.applied(applied.outcomes());
            }
            metrics.applied(
                    entry.commands().size(), Duration.ofNanos(nanoTicker.getAsLong() - startNanos));
            cpu.ifPresent(applyingCpu::count);
            return CompletableFuture.completedFuture(Message.EMPTY);
        } catch (CancellationException closing) {
            LOG.debug("apply cut short at close rangeId={}", rangeId, closing);
            // Not passed on to Ratis: see stop.
            become(GroupLife.Event.STOPPED);
            return NOT_APPLIED;
        } catch (NoNeighbourException behind) {
            if (isEnding()) {
                become(GroupLife.Event.STOPPED);
                return NOT_APPLIED;
            }
            if (setbacks.needsCopy(rangeId, behind.getMessage())) {
                become(GroupLife.Event.STOPPED);
                endGroup();
                return NOT_APPLIED;
            }
            notApplied(position, behind);
            return NOT_APPLIED;
        } catch (RuntimeException | Error failure) {
            notApplied(position, failure);
            return NOT_APPLIED;
        }
    }

    /** By an operator's word it moves the position, and has no other effect on any member. */
    private void passOver(LogEntryProto logged, AppliedPosition position) {
        LOG.warn("entry skipped rangeId={} index={}", rangeId, position.index());
        rows.pass(position);
        updateLastAppliedTermIndex(position.term(), position.index());
        log.applied(position.index(), logged.getStateMachineLogEntry().getLogData().size());
    }

    /** Ends the replica, or the node. */
    private void notApplied(AppliedPosition position, Throwable failure) {
        boolean ofRange = !isEnding() && ApplyFailure.isOfRange(failure);
        if (ofRange) {
            rows.unmark();
        }
        // Before anybody takes note: what reads, or leads, must not count on it any more.
        GroupLife before = become(GroupLife.Event.STOPPED);
        if (ofRange && getServer().isDone()) {
            // The last member has nobody else to hear from that it is committed.
            tellCommitted();
        }
        if (ofRange && setbacks.quarantine(rangeId, position, failure)) {
            endGroup();
        } else {
            stop("apply", position.index(), failure, before);
        }
    }

    /** Whether the keys of some range are held up until the other members have applied it too. */
    private static boolean isWaitedFor(LogEntry entry) {
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Split
                    || command.body() instanceof ReplicaCommand.Freeze
                    || command.body() instanceof ReplicaCommand.Absorb) {
                return true;
            }
        }
        return false;
    }

    private void tellCommitted() {
        try {
            CommitNews.send(division());
        } catch (IOException gone) {
            LOG.debug("group is gone rangeId={}", rangeId, gone);
        }
    }

    private static List<RangeId> childrenOf(AppliedEntry applied) {
        List<RangeId> children = List.of();
        for (Mutation mutation : applied.changes()) {
            if (mutation instanceof Mutation.PutChild put) {
                children = new ArrayList<>(children);
                children.add(put.range().descriptor().rangeId());
            }
        }
        return children;
    }

    private static boolean hasFreeze(LogEntry entry) {
        for (SubmittedCommand command : entry.commands()) {
            if (command.body() instanceof ReplicaCommand.Freeze) {
                return true;
            }
        }
        return false;
    }

    private void tell(Mutation mutation) {
        if (mutation instanceof Mutation.PutRange put) {
            LOG.info(
                    "range changed rangeId={} generation={} members={}",
                    rangeId,
                    put.range().descriptor().generation(),
                    put.range().descriptor().members());
            crash.reached(CrashPoint.MEMBERS_APPLIED);
            if (put.range().descriptor().isFrozen()) {
                crash.reached(CrashPoint.MERGE_FREEZE_APPLIED);
            }
            onChange.run();
        } else if (mutation instanceof Mutation.PutChild put) {
            RangeId childId = put.range().descriptor().rangeId();
            LOG.info("range split rangeId={} childRangeId={}", rangeId, childId);
        } else if (mutation instanceof Mutation.TakeIn taken) {
            RangeId rightId = taken.range().descriptor().rangeId();
            LOG.info("range absorbed rangeId={} rightRangeId={}", rangeId, rightId);
            crash.reached(CrashPoint.MERGE_ABSORB_APPLIED);
            absorbedCleanup.begin(rightId);
        }
    }

    /** Entries of Ratis's own move the position too. */
    @Override
    public void notifyTermIndexUpdated(long term, long index) {
        if (hasStopped()) {
            return;
        }
        try {
            rows.pass(new AppliedPosition(term, index));
            updateLastAppliedTermIndex(term, index);
        } catch (CancellationException closing) {
            LOG.debug("apply cut short at close rangeId={}", rangeId, closing);
            become(GroupLife.Event.STOPPED);
        } catch (RuntimeException | Error failure) {
            notApplied(new AppliedPosition(term, index), failure);
        }
    }

    /**
     * Nothing is applied any more: what follows builds upon what could not be. Entries pass by with
     * no effect and no outcome until the group has ended. Nothing is thrown into Ratis 3.3.0's
     * updater: where the group is being closed at the same moment, the updater would neither end
     * nor apply after that, and who closes would wait for it for ever.
     */
    private void stop(String operation, long index, Throwable failure, GroupLife before) {
        report(operation, index, failure);
        if (before == GroupLife.SERVING) {
            endGroup();
        }
    }

    private void report(String operation, long index, Throwable failure) {
        LOG.error("replica stopped rangeId={} index={}", rangeId, index, failure);
        onFailure.accept(new StoreFailure(operation + " of range " + rangeId, failure));
    }

    /** On a thread of its own: the end waits for the updater, which may be the caller. */
    private void endGroup() {
        RaftServer server = getServer().getNow(null);
        if (server == null) {
            return;
        }
        Thread thread =
                new Thread(
                        () -> {
                            try {
                                server.getDivision(getGroupId()).close();
                            } catch (IOException gone) {
                                LOG.debug("group is gone rangeId={}", rangeId, gone);
                            }
                        },
                        "partition-group-end");
        thread.setDaemon(true);
        thread.start();
    }

    /** Ratis drops its log up to the index returned. It asks on the thread that applies. */
    @Override
    public long takeSnapshot() throws IOException {
        if (hasStopped()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        try {
            return droppableUpTo();
        } catch (RuntimeException | Error failure) {
            // Not passed on to Ratis: see stop.
            stop(
                    "purge of the log",
                    getLastAppliedTermIndex().getIndex(),
                    failure,
                    become(GroupLife.Event.STOPPED));
            return RaftLog.INVALID_LOG_INDEX;
        }
    }

    /** Applied entries that the log still has, each with a record in the heap. */
    long logEntries() {
        return log.keptEntries();
    }

    private long droppableUpTo() throws IOException {
        if (isLogHeld()) {
            return RaftLog.INVALID_LOG_INDEX;
        }
        OptionalLong droppable = log.droppable(rows.durable().index());
        if (droppable.isPresent()) {
            crash.reached(CrashPoint.BEFORE_LOG_PURGE);
        }
        if (droppable.isPresent() && log.isBeforeStart(droppable.getAsLong())) {
            purge(droppable.getAsLong());
            return RaftLog.INVALID_LOG_INDEX;
        }
        return droppable.orElse(RaftLog.INVALID_LOG_INDEX);
    }

    private CompletableFuture<Long> purge(long index) throws IOException {
        RaftGroupId groupId = RaftGroupId.valueOf(rangeId.groupId());
        return getServer().join().getDivision(groupId).getRaftLog().purge(index);
    }

    /** Whether the log has to stay as it is because of a copy, or of a merge under way. */
    boolean isLogHeld() throws IOException {
        return rows.range().descriptor().isFrozen() || isLogCopied();
    }

    private boolean isLogCopied() throws IOException {
        return log.copies().isAny() && log.copies().holds(followers(), nanoTicker.getAsLong());
    }

    /**
     * Drops at once what need not be kept of the log; Ratis asks only every few entries, so that a
     * range nobody writes to would keep its log.
     *
     * @return ends when it is gone
     */
    CompletableFuture<?> dropLog() throws IOException {
        if (isLogHeld()) {
            return CompletableFuture.completedFuture(null);
        }
        OptionalLong droppable = log.droppable(rows.durable().index());
        return droppable.isPresent()
                ? purge(droppable.getAsLong())
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public SnapshotInfo getLatestSnapshot() {
        AppliedPosition position = rows.durable();
        return position.index() < 0
                ? null
                : new FileListSnapshotInfo(
                        List.of(), TermIndex.valueOf(position.term(), position.index()));
    }

    /** A copy of the replica for another node; see {@link CopyHold}. */
    ReplicaCopy openCopy(String receiver) throws IOException {
        crash.reached(CrashPoint.COPY_OPENED);
        log.copies().opened();
        OptionalLong whole = rows.wholeCopy();
        ReplicaCopy copy;
        try {
            copy =
                    ReplicaCopy.open(
                            store,
                            rangeId,
                            copied ->
                                    log.copies()
                                            .closed(
                                                    receiver,
                                                    copied.index(),
                                                    nanoTicker.getAsLong()));
        } catch (IOException | RuntimeException failure) {
            log.copies().dropped();
            throw failure;
        }
        if (whole.isEmpty() || !whole.equals(rows.wholeCopy())) {
            copy.close();
            throw new IOException("range " + rangeId + " is given up or replaced here");
        }
        return copy;
    }

    private RaftServer.Division division() throws IOException {
        return getServer().join().getDivision(getGroupId());
    }

    private Optional<List<FollowerState>> followers() throws IOException {
        RaftServer.Division division = division();
        return division.getInfo().isLeader()
                ? Optional.of(Followers.of(division))
                : Optional.empty();
    }

    /**
     * The leader's log no longer reaches back to where this replica stands. Ratis asks for the
     * result again and again; until it is there, nothing is appended.
     */
    @Override
    public CompletableFuture<TermIndex> notifyInstallSnapshotFromLeader(
            RoleInfoProto role, TermIndex first) {
        RaftPeerProto leader = role.getFollowerInfo().getLeaderInfo().getId();
        NodeId leaderId = new NodeId(RaftPeerId.valueOf(leader.getId()).toString());
        String known = rows.range().member(leaderId).map(Member::serviceAddress).orElse("");
        return installer
                .install(
                        this,
                        leaderId,
                        known.isEmpty() ? leader.getClientAddress() : known,
                        first.getIndex())
                .thenApply(
                        installed ->
                                installed
                                        .map(each -> TermIndex.valueOf(each.term(), each.index()))
                                        .orElse(null));
    }

    /**
     * Puts a complete copy in the place of the rows.
     *
     * @param overtaken replicas of ranges that no longer exist, whose keys are the copied range's
     * @param others bounds of the node's other replicas
     * @throws IOException if there is nothing to replace any more
     */
    void replaceRows(
            StagedCopy copy,
            List<RangeDescriptor> overtaken,
            List<KeyRange> others,
            CrashHook<CrashPoint> crash)
            throws IOException {
        try {
            rows.replace(copy, overtaken, others, crash);
        } catch (CancellationException closing) {
            // The next start goes on with it.
            become(GroupLife.Event.STOPPED);
            throw closing;
        } catch (RuntimeException | Error failure) {
            become(GroupLife.Event.STOPPED);
            report("install", copy.applied().index(), failure);
            throw new IllegalStateException("range " + rangeId + " stopped", failure);
        }
        differing.replaced();
        awaitingReloadNanos = OptionalLong.of(nanoTicker.getAsLong());
        onChange.run();
    }

    /** Whether its group ended for longer than this since it was told that it is no member. */
    boolean isPutOutFor(Duration patience) {
        OptionalLong since = putOutNanos;
        return since.isPresent() && nanoTicker.getAsLong() - since.getAsLong() > patience.toNanos();
    }

    /** Whether Ratis should have taken note of new rows for longer than this, and has not. */
    boolean isReloadOverdue(Duration patience) {
        OptionalLong since = awaitingReloadNanos;
        return since.isPresent() && nanoTicker.getAsLong() - since.getAsLong() > patience.toNanos();
    }

    @Override
    public void pause() {
        getLifeCycle().transition(LifeCycle.State.PAUSING);
        getLifeCycle().transition(LifeCycle.State.PAUSED);
    }

    /** Ratis goes on from {@link #getLatestSnapshot}; its log up to there is gone. */
    @Override
    public void reinitialize() {
        AppliedPosition position = rows.durable();
        startFrom(position);
        log.restart(position.index());
        awaitingReloadNanos = OptionalLong.empty();
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
            pendingCut.settled();
        }
        onChange.run();
    }

    @Override
    public void notifyLeaderReady() {
        LOG.info("leads rangeId={} appliedIndex={}", rangeId, getLastAppliedTermIndex().getIndex());
        onChange.run();
    }

    @Override
    public void notifyLogFailed(Throwable cause, LogEntryProto failedEntry) {
        LOG.error("raft log failed rangeId={}", rangeId, cause);
        onFailure.accept(new StoreFailure("raft log of range " + rangeId, cause));
    }

    /**
     * Ratis also ends groups by itself, as after an error of its own or a pause of many minutes,
     * and never starts them again: the process would stay, and the range be served no more. But one
     * that stood for election and was told that it is no member any more is just to be removed.
     */
    @Override
    public void close() {
        rows.close();
        if (life.get() == GroupLife.SERVING && isCandidate()) {
            LOG.warn("replica removed from its group rangeId={}", rangeId);
            putOutNanos = OptionalLong.of(nanoTicker.getAsLong());
        } else if (life.get() == GroupLife.SERVING) {
            LOG.error("raft group ended by itself rangeId={}", rangeId);
            onFailure.accept(
                    new StoreFailure(
                            "raft group of range " + rangeId,
                            new IllegalStateException("the group ended by itself")));
        }
    }

    private boolean isCandidate() {
        try {
            RaftServer server = getServer().getNow(null);
            return server != null && server.getDivision(getGroupId()).getInfo().isCandidate();
        } catch (IOException gone) {
            LOG.debug("group is gone rangeId={}", rangeId, gone);
            return false;
        }
    }
}
