package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.error.BusyReason;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.change.FollowerState;
import io.parterre.server.command.Member;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.Fence;
import io.parterre.server.lifecycle.ReplicaLifecycle;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.lifecycle.Standing;
import io.parterre.server.load.LoadMeter;
import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftClientAsynchronousProtocol;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.exceptions.ServerNotReadyException;
import org.apache.ratis.server.DivisionInfo;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.FirstElection;
import org.apache.ratis.server.impl.LeaderLeaseView;
import org.apache.ratis.server.protocol.TermIndex;

/** One replica of a range on this node. Safe for any thread; nothing here blocks. */
public final class Replica {
    /**
     * Lock of changes to the membership in the Raft group: join, leave, removal. See {@link
     * Replicas}.
     */
    private final Object membership = new Object();

    private final LeaseClock leases;
    private final RaftGroupId groupId;
    private final RaftPeerId self;
    private final ClientId clientId;
    private final AtomicLong callIds;
    private final Proposer proposer;
    private final LoadMeter load =
            new LoadMeter(bound -> ThreadLocalRandom.current().nextInt(bound), ThreadTime::nanos);
    private final CrashHook<CrashPoint> crash;
    private final AtomicReference<SyncProgress> sync = new AtomicReference<>(SyncProgress.UNKNOWN);
    private volatile ReplicaStateMachine stateMachine;
    private volatile Optional<RaftServer.Division> division = Optional.empty();
    private final AtomicReference<Condition> condition = new AtomicReference<>(Condition.SOUND);

    private volatile Fence fence = Fence.OPEN;

    /** Whether another range is being made of it. */
    private volatile boolean passingOn;

    private volatile Optional<SyncProgress.LeaderCommit> lastHeard = Optional.empty();

    private final ReplicaLog log = new ReplicaLog(() -> division, this::applied);
    private final WriteRefusals refusals = new WriteRefusals();

    Replica(
            HostedRange range,
            ReplicaStateMachine stateMachine,
            RaftPeerId self,
            ClientId clientId,
            AtomicLong callIds,
            RaftConfig config,
            EntryWriter writer,
            Executor executor,
            InstantSource clock,
            LeaseClock leases,
            CrashHook<CrashPoint> crash) {
        this.leases = leases;
        this.stateMachine = stateMachine;
        this.groupId = RaftGroupId.valueOf(range.descriptor().rangeId().groupId());
        this.self = self;
        this.clientId = clientId;
        this.callIds = callIds;
        this.crash = crash;
        this.proposer = new Proposer(config, writer, this::append, executor, clock, load.cpu());
        stateMachine.countsAt(load.cpu());
    }

    public RangeDescriptor descriptor() {
        return stateMachine.rows().range().descriptor();
    }

    HostedRange range() {
        return stateMachine.rows().range();
    }

    RaftGroupId groupId() {
        return groupId;
    }

    ReplicaStateMachine stateMachine() {
        return stateMachine;
    }

    void restartWith(ReplicaStateMachine fresh) {
        fresh.countsAt(load.cpu());
        stateMachine = fresh;
    }

    void started(RaftServer.Division running) {
        stateMachine.serving();
        division = Optional.of(running);
    }

    /**
     * From here on it is to be rebuilt; if it has its group it goes on until it is ordered away.
     */
    void damaged(String what) {
        condition.updateAndGet(
                now ->
                        new Condition(
                                now.standing().on(Standing.Event.DAMAGE_FOUND),
                                Optional.of(what),
                                now.quarantine()));
    }

    /** It takes part in nothing until an operator has it resume, or it is rebuilt. */
    void quarantined(QuarantineMark mark) {
        condition.updateAndGet(
                now ->
                        new Condition(
                                now.standing().on(Standing.Event.QUARANTINED),
                                Optional.of(mark.damage()),
                                Optional.of(mark)));
        leaving();
    }

    /** The reason for the quarantine is gone. */
    void resumes() {
        condition.updateAndGet(
                now ->
                        new Condition(
                                now.standing().on(Standing.Event.RESUMED),
                                Optional.empty(),
                                Optional.empty()));
    }

    /** Why it is quarantined; empty: it is not. */
    public Optional<QuarantineMark> quarantine() {
        return condition.get().quarantine();
    }

    void passesOn(boolean is) {
        passingOn = is;
    }

    /** Whether another range is being made of it, which may take its time: it is not lost. */
    public boolean isPassingOn() {
        return passingOn;
    }

    /** It answers nobody unless its fence is open. */
    void fence(Fence now) {
        fence = now;
    }

    Fence fence() {
        return fence;
    }

    /** Why it has to be rebuilt; empty: it has not. */
    public Optional<String> damage() {
        return condition.get().damage();
    }

    /** Whether the range has no other member, as far as it knows. */
    public boolean isAlone() {
        return descriptor().members().size() == 1 && !isJoining();
    }

    void ending() {
        stateMachine.ending();
    }

    /** From here on it takes part in nothing and is reported to nobody. */
    void leaving() {
        ending();
        division = Optional.empty();
    }

    /** Whether it has its Raft group; without, it is nothing but a descriptor. */
    public boolean hasGroup() {
        return division.isPresent();
    }

    /** Whether it is given up, and what it holds is not gone yet. */
    public boolean isGoing() {
        return stateMachine.rows().phase() == ReplicaPhase.REMOVING;
    }

    /** Whether its Raft group has not ended by itself. */
    boolean hasLivingGroup() {
        return log.isAlive();
    }

    /** Its state at this moment. */
    ReplicaLifecycle lifecycle() {
        return new ReplicaLifecycle(
                stateMachine.rows().phase(),
                stateMachine.group().life(),
                hasGroup(),
                hasLivingGroup(),
                condition.get().standing(),
                fence);
    }

    private boolean isOpen() {
        return ReplicaLifecycle.mayServe(fence, stateMachine.group().life());
    }

    /** Whether it leads its range and has applied everything acknowledged before it did. */
    public boolean isLeading() {
        return leadTerm().isPresent() && isOpen();
    }

    /** Raft's term in which it leads, as {@link #isLeading}; empty: it does not. */
    public OptionalLong leadTerm() {
        return division.map(RaftServer.Division::getInfo)
                .filter(DivisionInfo::isLeaderReady)
                // In this order: Ratis takes for applied what is deferred.
                .filter(info -> !stateMachine.deferred().isDeferred())
                .map(info -> OptionalLong.of(info.getCurrentTerm()))
                .orElse(OptionalLong.empty());
    }

    /** Node that leads, as far as this replica knows. */
    public Optional<String> leaderHint() {
        return division.map(running -> running.getInfo().getLeaderId()).map(RaftPeerId::toString);
    }

    /** Has the group's first election now, if there was none; waits for the disk. */
    void standForFirstElection() {
        division.ifPresent(FirstElection::stand);
    }

    String selfId() {
        return self.toString();
    }

    /**
     * Whether its range has just been made, and may be led here in a moment: who asks meanwhile is
     * served sooner by waiting than by asking elsewhere.
     */
    public boolean isAwaitingFirstLeader() {
        return stateMachine.rows().phase() == ReplicaPhase.BORN
                && leaderHint().map(selfId()::equals).orElse(true);
    }

    /** Whether rows may be read now. */
    public ReadGate readGate() {
        Optional<RaftServer.Division> running = division;
        return ReadGate.of(
                isAwaitingFirstLeader() || isFrozen(),
                () -> isOpen() && running.filter(each -> each.getInfo().isLeader()).isPresent(),
                // In this order: what the clocks say now counts for a lease that holds now.
                () ->
                        LeaderLeaseView.hasLease(running.orElseThrow())
                                && !stateMachine.deferred().isDeferred()
                                && (isAlone() || leases.isTrusted()));
    }

    /**
     * Number of the copy of the range's data that its rows are; empty: it has none to be read. What
     * was opened between two calls with the same answer is one whole copy, as far as applied.
     */
    public OptionalLong readableCopy() {
        return !isOpen() || division.isEmpty()
                ? OptionalLong.empty()
                : stateMachine.rows().readableCopy();
    }

    /** The same on the leader, which may be so before it is recorded as a member. */
    public OptionalLong wholeCopy() {
        return stateMachine.rows().wholeCopy();
    }

    /**
     * Everything acknowledged before this is in rows opened from now on; empty: cannot tell.
     *
     * @param nowNanos by the ticker of this node's replicas, as is the answer
     */
    public OptionalLong syncedNanos(long nowNanos) {
        // While it may be losing keys, what is acknowledged of those may be elsewhere.
        if (readGate() == ReadGate.OPEN && !stateMachine.pendingCut().isAny()) {
            return sync.updateAndGet(known -> known.syncedAt(nowNanos)).syncedNanos();
        }
        AppliedPosition applied = applied();
        return sync.updateAndGet(known -> known.at(applied)).syncedNanos();
    }

    /** See {@link SyncProgress#hasCaughtUp}. */
    public boolean hasCaughtUp(long nowNanos, Duration behindMax, Duration catchUpMax) {
        syncedNanos(nowNanos);
        boolean heard =
                lastHeard
                        .filter(last -> nowNanos - last.atNanos() <= behindMax.toNanos())
                        .isPresent();
        return sync.updateAndGet(known -> known.met(nowNanos))
                .hasCaughtUp(nowNanos, behindMax, catchUpMax, heard);
    }

    Object membership() {
        return membership;
    }

    void heard(SyncProgress.LeaderCommit heard) {
        lastHeard = Optional.of(heard);
        AppliedPosition applied = applied();
        sync.updateAndGet(known -> known.after(heard, applied));
    }

    private AppliedPosition applied() {
        TermIndex applied = stateMachine.getLastAppliedTermIndex();
        return new AppliedPosition(applied.getTerm(), applied.getIndex());
    }

    /**
     * Whether its rows are the truth about these keys; to be asked after they were opened. Asked
     * before, it says nothing: the range may be split meanwhile.
     */
    public KeysHeld holds(KeyRange keys) {
        return KeysHeld.of(stateMachine.pendingCut(), this::descriptor, this::isAbsorbed, keys);
    }

    /** Whether the scope is fenced; to be asked after the rows were opened. */
    public boolean isFenced(Key scope) {
        return stateMachine.rows().isFenced(scope);
    }

    /** Last log entry applied. */
    public AppliedPosition appliedPosition() {
        return applied();
    }

    /** Index of the last log entry applied; -1: none. */
    public long appliedIndex() {
        return stateMachine.getLastAppliedTermIndex().getIndex();
    }

    /** Whether its range takes and serves nothing, for its left neighbour may absorb it. */
    public boolean isFrozen() {
        return descriptor().isFrozen() && !isAbsorbed();
    }

    /** Whether its range no longer exists: another has its keys. */
    public boolean isAbsorbed() {
        return stateMachine.rows().phase() == ReplicaPhase.ABSORBED;
    }

    /** Index of the last log entry whose effect is on disk; -1: none. */
    public long flushedIndex() {
        return stateMachine.rows().durable().index();
    }

    /**
     * Whether the range goes on without this replica, by what is known here: others have on disk
     * what is not on this node's, or all that is. Never blocks.
     *
     * @param silenceMax of those that count
     */
    boolean isDispensable(long nowNanos, Duration silenceMax) {
        if (isJoining() || damage().isPresent() || !hasLivingGroup()) {
            return true;
        }
        OptionalLong awaited = log.awaitedIndex();
        if (awaited.isEmpty()) {
            // Its group has just ended.
            return true;
        }
        return new StallImpact(descriptor().members(), awaited.getAsLong())
                .goesOn(followers(), lastHeard, nowNanos, silenceMax);
    }

    /** Whether it was made empty and has not got the range's data yet. */
    public boolean isJoining() {
        return stateMachine.rows().phase() == ReplicaPhase.JOINING;
    }

    /** The other members, as a leader sees them; none if it does not lead. */
    public List<FollowerState> followers() {
        return division.map(Followers::of).orElse(List.of());
    }

    /**
     * A copy of all it holds, to be sent to another node.
     *
     * @param receiver id of that node
     * @throws IOException if it holds nothing yet
     */
    public ReplicaCopy openCopy(String receiver) throws IOException {
        return stateMachine.log().openCopy(receiver);
    }

    /** How far its Raft log reaches. */
    public ReplicaLog log() {
        return log;
    }

    /** Why it refuses writes for a while. */
    WriteRefusals refusals() {
        return refusals;
    }

    /** Counts what is asked of it. */
    public LoadMeter load() {
        return load;
    }

    /**
     * Has the rows kept as they are once exactly that entry is applied; waits for what is applied
     * or taken in now.
     */
    public void await(RowsAt rowsAt) {
        stateMachine.rows().await(rowsAt);
    }

    /** All members, with their addresses, as far as applied. */
    public List<Member> members() {
        return range().members();
    }

    /** Members that hold other rows than most of them, as far as this replica knows. */
    public DifferingMembers differing() {
        return stateMachine.differing();
    }

    /** Commands accepted and not yet answered. */
    public int heldCommands() {
        return proposer.heldCommands();
    }

    /** Proposes a command; how it ends is told exactly once. */
    public void propose(Proposal proposal) {
        if (proposal.sizeBytes() > RaftSettings.COMMAND_BYTES_MAX) {
            proposal.done().accept(new ProposalResult.TooLarge());
            return;
        }
        if (!isLeading()) {
            proposal.done().accept(new ProposalResult.NotLeader(leaderHint()));
            return;
        }
        Optional<BusyReason> refusal = refusals.of(proposal.command().body());
        if (refusal.isPresent()) {
            proposal.done().accept(new ProposalResult.Busy(refusal.get()));
            return;
        }
        proposer.propose(proposal);
    }

    /** Hands an entry to Raft in this process: no serialization, no other thread. */
    private CompletableFuture<Void> append(ProposedEntry entry) {
        RaftClientRequest request =
                RaftClientRequest.newBuilder()
                        .setClientId(clientId)
                        .setServerId(self)
                        .setGroupId(groupId)
                        .setCallId(callIds.incrementAndGet())
                        .setMessage(new EntryMessage(entry))
                        .setType(RaftClientRequest.writeRequestType())
                        .build();
        try {
            if (division.isPresent()
                    && division.get() instanceof RaftClientAsynchronousProtocol raft) {
                CompletableFuture<RaftClientReply> reply = raft.submitClientRequestAsync(request);
                crash.reached(CrashPoint.AFTER_LOG_APPEND);
                return reply.thenCompose(Replica::ended);
            }
            return CompletableFuture.failedFuture(
                    new ServerNotReadyException("range " + descriptor().rangeId() + " starts"));
        } catch (IOException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private static CompletableFuture<Void> ended(RaftClientReply reply) {
        return reply.isSuccess()
                ? CompletableFuture.completedFuture(null)
                : CompletableFuture.failedFuture(reply.getException());
    }

    /**
     * Whether it can be trusted, and why not.
     *
     * @param damage why it has to be rebuilt; empty: it has not
     * @param quarantine of which log entry; empty: it is not quarantined
     */
    private record Condition(
            Standing standing, Optional<String> damage, Optional<QuarantineMark> quarantine) {
        static final Condition SOUND =
                new Condition(Standing.SOUND, Optional.empty(), Optional.empty());
    }
}
