package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
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
import io.parterre.server.replica.AppliedRows;
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
import java.util.function.LongSupplier;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;

/**
 * One replica of a range on this node. Safe for any thread; nothing here blocks, except where a
 * method says so.
 */
public final class Replica implements LedReplica {
    private final Object membership = new Object();

    private final RaftGroupId groupId;
    private final RaftPeerId self;
    private final Proposer proposer;
    private final LoadMeter load =
            new LoadMeter(bound -> ThreadLocalRandom.current().nextInt(bound), ThreadTime::nanos);
    private final ReplicaStanding standing = new ReplicaStanding();
    private final RunningGroup group = new RunningGroup();
    private final ReplicaReads reads;
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
        this.reads = new ReplicaReads(this, group, leases, nanoTicker);
        stateMachine.tells(load.cpu(), reads.permission());
    }

    @Override
    public RangeDescriptor descriptor() {
        return range().descriptor();
    }

    @Override
    public HostedRange range() {
        return rows().range();
    }

    /** The rows to which the replica's log is applied. */
    public AppliedRows rows() {
        return stateMachine.rows();
    }

    /** The state machine that Ratis calls; replaced by {@link #restartWith}. */
    public ReplicaStateMachine stateMachine() {
        return stateMachine;
    }

    public void restartWith(ReplicaStateMachine fresh) {
        fresh.tells(load.cpu(), reads.permission());
        stateMachine = fresh;
    }

    void started(RaftServer.Division running) {
        stateMachine.group().started();
        group.joined(running);
    }

    /** What this node has found out about the replica. */
    public ReplicaStanding standing() {
        return standing;
    }

    /**
     * Quarantines the replica: it leaves its group until an operator resumes it or it is rebuilt.
     */
    public void quarantined(QuarantineMark mark) {
        standing.quarantined(mark);
        leaving();
    }

    /** The reason why the replica is quarantined; empty if it is not. */
    public Optional<QuarantineMark> quarantine() {
        return standing.quarantine();
    }

    /** The reason why the replica has to be rebuilt; empty if it has not. */
    public Optional<String> damage() {
        return standing.damage();
    }

    /** Whether the range has no other member, as far as the replica knows. */
    public boolean isAlone() {
        return descriptor().members().size() == 1 && !isJoining();
    }

    public void ending() {
        stateMachine.ending();
    }

    /** Takes the replica out of its group; from here on it is reported to nobody. */
    public void leaving() {
        ending();
        group.left();
    }

    /** Whether the replica has its Raft group. Without a group it is only a descriptor. */
    public boolean hasGroup() {
        return group.division().isPresent();
    }

    /** Whether the replica is being removed and its data is not deleted yet. */
    public boolean isBeingRemoved() {
        return rows().phase() == ReplicaPhase.REMOVING;
    }

    /** The replica's state at this moment. */
    public ReplicaLifecycle lifecycle() {
        return new ReplicaLifecycle(
                rows().phase(),
                stateMachine.group().life(),
                hasGroup(),
                log.isAlive(),
                standing.trust(),
                standing.fence());
    }

    boolean isOpen() {
        return ReplicaLifecycle.mayServe(standing.fence(), stateMachine.group().life());
    }

    @Override
    public boolean isLeading() {
        return leadTerm().isPresent() && isOpen();
    }

    /**
     * Raft's term in which the replica leads in the sense of {@link #isLeading}; empty if it does
     * not.
     */
    public OptionalLong leadTerm() {
        OptionalLong term = group.leadTerm(); // First: Ratis takes deferred entries for applied.
        return stateMachine.deferred().isDeferred() ? OptionalLong.empty() : term;
    }

    @Override
    public Optional<String> leaderHint() {
        return group.leader();
    }

    /** Starts the group's first election now, if there was none; waits for the disk. */
    public void standForFirstElection() {
        group.standForFirstElection();
    }

    /** Id of this node. */
    public String selfId() {
        return self.toString();
    }

    /**
     * Whether the range was just created and this node may lead it soon: sooner than a retry
     * elsewhere would find a leader.
     */
    public boolean isAwaitingFirstLeader() {
        return rows().phase() == ReplicaPhase.BORN
                && leaderHint().map(self.toString()::equals).orElse(true);
    }

    /** What this replica may answer from its rows, as the leader or as a follower. */
    public ReplicaReads reads() {
        return reads;
    }

    /** Lock that joins, leaves and removals hold. */
    public Object membership() {
        return membership;
    }

    @Override
    public RangeTime time() {
        return rows().time();
    }

    @Override
    public Set<Key> fences() {
        return rows().fences();
    }

    /** The last applied log entry. */
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

    /** Whether the range no longer exists because another range has its keys. */
    public boolean isAbsorbed() {
        return rows().phase() == ReplicaPhase.ABSORBED;
    }

    /** Index of the last log entry whose effect is on disk; -1 if none. */
    public long flushedIndex() {
        return rows().durable().index();
    }

    /** Whether the replica was created empty and has not got the range's data yet. */
    public boolean isJoining() {
        return rows().phase() == ReplicaPhase.JOINING;
    }

    @Override
    public List<FollowerState> followers() {
        return group.followers();
    }

    /**
     * Opens a copy of the replica's data, to be sent to another node.
     *
     * @param receiver id of that node
     * @throws IOException if the replica holds no data yet
     */
    public ReplicaCopy openCopy(String receiver) throws IOException {
        return stateMachine.log().openCopy(receiver);
    }

    /** How far the replica's Raft log reaches. */
    public ReplicaLog log() {
        return log;
    }

    /** Reasons for which the replica refuses writes for a while. */
    public WriteRefusals refusals() {
        return refusals;
    }

    /** Counts the load of the replica. */
    public LoadMeter load() {
        return load;
    }

    /** Members whose rows differ from those of most members, as far as this replica knows. */
    public DifferingMembers differing() {
        return stateMachine.differing();
    }

    /** Number of commands accepted and not yet answered. */
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
