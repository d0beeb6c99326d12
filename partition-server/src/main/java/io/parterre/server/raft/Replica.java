package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.change.FollowerState;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.copy.ReplicaCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lead.LedReplica;
import io.parterre.server.lifecycle.ReplicaLifecycle;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.load.LoadMeter;
import io.parterre.server.members.DifferingMembers;
import io.parterre.server.metrics.ThreadTime;
import io.parterre.server.propose.EntryWriter;
import io.parterre.server.propose.Proposal;
import io.parterre.server.propose.ProposalResult;
import io.parterre.server.propose.WriteRefusals;
import io.parterre.server.quarantine.QuarantineMark;
import io.parterre.server.read.CatchUp;
import io.parterre.server.read.ReadGate;
import io.parterre.server.replica.AppliedRows;
import io.parterre.server.replica.KeysHeld;
import io.parterre.server.replica.ReplicaStanding;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;

/** One replica of a range on this node. Safe for any thread; nothing here blocks. */
public final class Replica implements LedReplica {
    private final Object membership = new Object();

    private final RaftGroupId groupId;
    private final RaftPeerId self;
    private final Proposer proposer;
    private final LoadMeter load =
            new LoadMeter(bound -> ThreadLocalRandom.current().nextInt(bound), ThreadTime::nanos);
    private final ReplicaStanding standing = new ReplicaStanding();
    private final CatchUp catchUp = new CatchUp(this::appliedPosition, this::holdsAll);
    private final RunningGroup group = new RunningGroup();
    private final ReadPermission reads;
    private final ReplicaLog log = new ReplicaLog(group::division, this::appliedPosition);
    private final WriteRefusals refusals = new WriteRefusals();
    private volatile ReplicaStateMachine stateMachine;

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
            LongSupplier nanoTicker,
            LeaseClock leases,
            CrashHook<CrashPoint> crash) {
        this.stateMachine = stateMachine;
        this.groupId = RaftGroupId.valueOf(range.descriptor().rangeId().groupId());
        this.self = self;
        EntrySubmission entries =
                new EntrySubmission(groupId, self, clientId, callIds, group::division, crash);
        this.proposer = new Proposer(config, writer, entries::submit, executor, clock, load.cpu());
        this.reads =
                new ReadPermission(
                        group,
                        leases,
                        this::isAlone,
                        () -> catchUp.syncedNanos(nanoTicker.getAsLong()));
        stateMachine.tells(load.cpu(), reads);
    }

    @Override
    public RangeDescriptor descriptor() {
        return range().descriptor();
    }

    @Override
    public HostedRange range() {
        return rows().range();
    }

    /** What its log is applied to. */
    public AppliedRows rows() {
        return stateMachine.rows();
    }

    /** What Ratis talks to; another one after {@link #restartWith}. */
    public ReplicaStateMachine stateMachine() {
        return stateMachine;
    }

    public void restartWith(ReplicaStateMachine fresh) {
        fresh.tells(load.cpu(), reads);
        stateMachine = fresh;
    }

    void started(RaftServer.Division running) {
        stateMachine.group().started();
        group.joined(running);
    }

    /** What this node has found out about it. */
    public ReplicaStanding standing() {
        return standing;
    }

    /** It takes part in nothing until an operator has it resume, or it is rebuilt. */
    public void quarantined(QuarantineMark mark) {
        standing.quarantined(mark);
        leaving();
    }

    /** Why it is quarantined; empty: it is not. */
    public Optional<QuarantineMark> quarantine() {
        return standing.quarantine();
    }

    /** Why it has to be rebuilt; empty: it has not. */
    public Optional<String> damage() {
        return standing.damage();
    }

    /** Whether the range has no other member, as far as it knows. */
    public boolean isAlone() {
        return descriptor().members().size() == 1 && !isJoining();
    }

    public void ending() {
        stateMachine.ending();
    }

    /** From here on it takes part in nothing and is reported to nobody. */
    public void leaving() {
        ending();
        group.left();
    }

    /** Whether it has its Raft group; without, it is nothing but a descriptor. */
    public boolean hasGroup() {
        return group.division().isPresent();
    }

    /** Whether it is given up, and what it holds is not gone yet. */
    public boolean isGoing() {
        return rows().phase() == ReplicaPhase.REMOVING;
    }

    /** Its state at this moment. */
    public ReplicaLifecycle lifecycle() {
        return new ReplicaLifecycle(
                rows().phase(),
                stateMachine.group().life(),
                hasGroup(),
                log.isAlive(),
                standing.trust(),
                standing.fence());
    }

    private boolean isOpen() {
        return ReplicaLifecycle.mayServe(standing.fence(), stateMachine.group().life());
    }

    @Override
    public boolean isLeading() {
        return leadTerm().isPresent() && isOpen();
    }

    /** Raft's term in which it leads, as {@link #isLeading}; empty: it does not. */
    public OptionalLong leadTerm() {
        OptionalLong term = group.leadTerm(); // First: Ratis takes for applied what is deferred.
        return stateMachine.deferred().isDeferred() ? OptionalLong.empty() : term;
    }

    @Override
    public Optional<String> leaderHint() {
        return group.leader();
    }

    /** Has the group's first election now, if there was none; waits for the disk. */
    public void standForFirstElection() {
        group.standForFirstElection();
    }

    /** Id of this node. */
    public String selfId() {
        return self.toString();
    }

    /** Whether its range was just made and may be led here soon: sooner than asked elsewhere. */
    public boolean isAwaitingFirstLeader() {
        return rows().phase() == ReplicaPhase.BORN
                && leaderHint().map(self.toString()::equals).orElse(true);
    }

    /**
     * Whether rows may be read now.
     *
     * @param sinceNanos {@link ReadPermission#nowNanos} after the read had come; empty: it requires
     *     a lease
     */
    public ReadGate readGate(OptionalLong sinceNanos) {
        return readGate(() -> reads.holds(sinceNanos));
    }

    private ReadGate readGate(BooleanSupplier permitted) {
        return ReadGate.of(
                isAwaitingFirstLeader() || isFrozen(),
                () -> isOpen() && group.isLeader(),
                () -> permitted.getAsBoolean() && !stateMachine.deferred().isDeferred());
    }

    /** Asks its followers whether it leads. */
    public ReadPermission reads() {
        return reads;
    }

    /**
     * Number of the copy of the range's data that its rows are; empty: it has none to be read. What
     * was opened between two calls with the same answer is one whole copy, as far as applied.
     */
    public OptionalLong readableCopy() {
        return isOpen() && hasGroup() ? rows().readableCopy() : OptionalLong.empty();
    }

    private boolean holdsAll() {
        // While it may be losing keys, what is acknowledged of those may be elsewhere.
        return readGate(reads::hasLease) == ReadGate.OPEN && !stateMachine.pendingSplits().isAny();
    }

    /** How far it has caught up with its leader. */
    public CatchUp catchUp() {
        return catchUp;
    }

    /** Lock of joins, leaves and removals. */
    public Object membership() {
        return membership;
    }

    /** Whether rows that were opened before this are the truth about these keys. */
    public KeysHeld holds(KeyRange keys) {
        return KeysHeld.of(stateMachine.pendingSplits(), this::descriptor, this::isAbsorbed, keys);
    }

    @Override
    public RangeTime time() {
        return rows().time();
    }

    @Override
    public Set<Key> fences() {
        return rows().fences();
    }

    /** Last log entry applied. */
    public AppliedPosition appliedPosition() {
        TermIndex applied = stateMachine.getLastAppliedTermIndex();
        return new AppliedPosition(applied.getTerm(), applied.getIndex());
    }

    @Override
    public long appliedIndex() {
        return stateMachine.getLastAppliedTermIndex().getIndex();
    }

    @Override
    public long syncedIndex() {
        return log.syncedIndex();
    }

    @Override
    public boolean isFrozen() {
        return descriptor().isFrozen() && !isAbsorbed();
    }

    /** Whether its range no longer exists: another has its keys. */
    public boolean isAbsorbed() {
        return rows().phase() == ReplicaPhase.ABSORBED;
    }

    /** Index of the last log entry whose effect is on disk; -1: none. */
    public long flushedIndex() {
        return rows().durable().index();
    }

    /** Whether it was made empty and has not got the range's data yet. */
    public boolean isJoining() {
        return rows().phase() == ReplicaPhase.JOINING;
    }

    @Override
    public List<FollowerState> followers() {
        return group.followers();
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
    public WriteRefusals refusals() {
        return refusals;
    }

    /** Counts what is asked of it. */
    public LoadMeter load() {
        return load;
    }

    /** Members that hold other rows than most of them, as far as this replica knows. */
    public DifferingMembers differing() {
        return stateMachine.differing();
    }

    /** Commands accepted and not yet answered. */
    public int heldCommands() {
        return proposer.heldCommands();
    }

    @Override
    public void propose(Proposal proposal) {
        if (proposal.sizeBytes() > RaftSettings.COMMAND_BYTES_MAX) {
            proposal.done().accept(new ProposalResult.TooLarge());
            return;
        }
        if (!isLeading()) {
            proposal.done().accept(new ProposalResult.NotLeader(leaderHint()));
            return;
        }
        refusals.of(proposal.command().body())
                .ifPresentOrElse(
                        why -> proposal.done().accept(new ProposalResult.Busy(why)),
                        () -> proposer.propose(proposal));
    }
}
