package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.Outcome;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.SliceContext;
import io.parterre.server.apply.SliceLimits;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.read.ReadGate;
import io.parterre.server.replica.KeysHeld;
import io.parterre.server.replica.PendingSplits;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** A replica while its node runs: what it has of Raft, and the range's state machine as it is. */
final class SimulatedReplica implements FrozenRange.Neighbours {
    private static final int COMMANDS_MAX = 6;

    /** A write or two: entries are applied in slices, and nodes crash between them. */
    private static final SliceLimits SLICES = new SliceLimits(100, 0);

    private static final long NEVER = Long.MIN_VALUE / 2;

    /** A command that waits for its end. */
    record Proposal(SubmittedCommand command, Consumer<ProposalEnd> done) {}

    /** The neighbour to be absorbed is not there yet. */
    static final class NotYetException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotYetException() {
            super("not yet", null, false, false);
        }
    }

    final SimulatedServer server;
    final RangeId rangeId;
    final SimulatedLog log;
    final PendingSplits pendingSplits = new PendingSplits();
    final Map<NodeId, Long> acknowledgedMillis = new HashMap<>();

    StoredReplica stored;
    Optional<RangeState> state = Optional.empty();
    boolean hasGroup;

    /** No order reaches it any more, and nobody is served. */
    boolean gone;

    Optional<String> damage = Optional.empty();

    /** Up to here entries are known to be committed. */
    long known;

    /** Latest term that it has voted or been led in. */
    long term;

    /** Term in which it believes to lead; 0: it does not. */
    long leadTerm;

    /** The first entry of that term. */
    long leadIndex;

    /** Leadership is about to go to another one: it grants itself no lease, and takes nothing. */
    boolean transferring;

    Optional<NodeId> leader = Optional.empty();
    long heardMillis;
    long leadSinceMillis;

    /** Nodes that are to be members once they have the data; empty: none. */
    Set<NodeId> staging = Set.of();

    Consumer<Boolean> staged = done -> {};
    boolean applies;
    boolean sends;
    boolean installs;

    /** All that was acknowledged before is applied. */
    long syncedMillis = NEVER;

    private long heardCommitted = NEVER;
    private long heardSentMillis = NEVER;
    private final List<Proposal> waiting = new ArrayList<>();

    /** Appended, and not applied yet. */
    final List<Proposal> appended = new ArrayList<>();

    SimulatedReplica(SimulatedServer server, StoredReplica stored, SimulatedLog log) {
        this.server = server;
        this.rangeId = stored.descriptor().rangeId();
        this.stored = stored;
        this.log = log;
        this.heardMillis = server.nowMillis();
    }

    RangeDescriptor descriptor() {
        return stored.descriptor();
    }

    HostedRange range() {
        return stored.range();
    }

    ReplicaPhase phase() {
        return stored.phase();
    }

    long appliedIndex() {
        return stored.appliedIndex();
    }

    boolean hasDurably(long index) {
        return appliedIndex() >= index && log.held(server.nodeId) >= index;
    }

    private RangeState state() {
        if (state.isEmpty()) {
            state = Optional.of(RangeState.restore(stored.range(), stored.ownRows(), SLICES));
        }
        return state.get();
    }

    boolean leadsByRaft() {
        return hasGroup && leadTerm > 0;
    }

    /** Whether it leads and has applied everything acknowledged before it did. */
    boolean isLeading() {
        return leadsByRaft() && appliedIndex() >= leadIndex;
    }

    boolean isAwaitingFirstLeader() {
        return phase() == ReplicaPhase.BORN && leader.map(server.nodeId::equals).orElse(true);
    }

    boolean isAbsorbed() {
        return phase() == ReplicaPhase.ABSORBED;
    }

    boolean isFrozen() {
        return descriptor().isFrozen() && !isAbsorbed();
    }

    boolean isJoining() {
        return phase() == ReplicaPhase.JOINING;
    }

    ReadGate readGate() {
        return ReadGate.of(
                isAwaitingFirstLeader() || isFrozen(), this::leadsByRaft, this::hasLease);
    }

    KeysHeld holds(KeyRange keys) {
        return KeysHeld.of(pendingSplits, this::descriptor, this::isAbsorbed, keys);
    }

    /** Whether it answers reads of the key at this moment. */
    boolean serves(Key key) {
        return !gone
                && server.up
                && readGate() == ReadGate.OPEN
                && holds(KeyRange.ofKey(key)) == KeysHeld.HELD;
    }

    /** Whether enough members have sworn a moment ago to elect nobody else for a while. */
    boolean hasLease() {
        if (!isLeading() || transferring) {
            return false;
        }
        long since = server.nowMillis() - Replication.LEASE_MILLIS;
        return log.isMajority(
                log.end(),
                node ->
                        node.equals(server.nodeId)
                                || acknowledgedMillis.getOrDefault(node, NEVER) > since);
    }

    void propose(SubmittedCommand command, Consumer<ProposalEnd> done) {
        if (!isLeading() || transferring) {
            done.accept(
                    new ProposalEnd.NotLeader(leader.filter(each -> !each.equals(server.nodeId))));
            return;
        }
        waiting.add(new Proposal(command, done));
        if (waiting.size() == 1) {
            server.later(server.simulation.conditions.appendMillis(), this, this::append);
        }
    }

    /** Packs what waits into one entry. */
    private void append() {
        List<Proposal> packed =
                new ArrayList<>(waiting.subList(0, Math.min(COMMANDS_MAX, waiting.size())));
        waiting.subList(0, packed.size()).clear();
        if (!waiting.isEmpty()) {
            server.later(server.simulation.conditions.appendMillis(), this, this::append);
        }
        if (packed.isEmpty()) {
            return;
        }
        if (!leadsByRaft()) {
            packed.forEach(each -> each.done().accept(new ProposalEnd.NotLeader(leader)));
            return;
        }
        LogEntry entry =
                new LogEntry(server.stampTicks(), packed.stream().map(Proposal::command).toList());
        pendingSplits.appended(entry);
        appended.addAll(packed);
        if (leadTerm == log.term) {
            log.append(new SimulatedLog.Entry(leadTerm, Optional.of(entry), packed));
            server.replication.appended(this);
        }
    }

    /** Another term has begun, or it cannot reach the others. */
    void stepDown(long newTerm) {
        if (newTerm > term) {
            term = newTerm;
            leader = Optional.empty();
        }
        if (leadTerm == 0) {
            return;
        }
        leadTerm = 0;
        leader = Optional.empty();
        transferring = false;
        acknowledgedMillis.clear();
        Consumer<Boolean> unstaged = staged;
        staging = Set.of();
        staged = done -> {};
        List<Proposal> doubtful = List.copyOf(appended);
        // What waits to be appended goes on waiting: it may lead again by then.
        appended.clear();
        unstaged.accept(false);
        doubtful.forEach(each -> each.done().accept(new ProposalEnd.InDoubt()));
    }

    /** A leader has told how far the log is committed. */
    void heard(long committed, long sentMillis) {
        known = Math.max(known, Math.min(committed, log.held(server.nodeId)));
        heardCommitted = committed;
        heardSentMillis = sentMillis;
        noteSynced();
    }

    private void noteSynced() {
        if (appliedIndex() >= heardCommitted) {
            syncedMillis = Math.max(syncedMillis, heardSentMillis);
        }
    }

    /** Everything acknowledged before this is applied. */
    long synced() {
        if (readGate() == ReadGate.OPEN && !pendingSplits.isAny()) {
            syncedMillis = server.nowMillis();
        }
        return syncedMillis;
    }

    boolean canApply() {
        return hasGroup
                && !gone
                && !phase().isEnding()
                && !isWithoutData()
                && appliedIndex() < Math.min(known, log.end());
    }

    /** Nothing was ever applied to it: its rows have to be brought. */
    boolean isWithoutData() {
        return appliedIndex() < log.begin();
    }

    /** Applies a slice of the next entry; false: it waits for a neighbour. */
    boolean applyNext() {
        long index = appliedIndex() + 1;
        SimulatedLog.Entry entry = log.at(index);
        if (entry.commands.isEmpty()) {
            stored = server.store.take(stored, List.of(), phase().afterEntry(), index, 0);
            applied(index);
            return true;
        }
        LogEntry commands = entry.commands.get();
        int from = stored.begun();
        AppliedSlice slice;
        try {
            slice = state().apply(commands, index, from, new SliceContext(server.store, this));
        } catch (NotYetException notYet) {
            state = Optional.empty();
            return false;
        }
        compare(entry, index, from, slice);
        write(slice, index);
        if (slice.whole()) {
            pendingSplits.applied(commands);
        }
        slice.mutations().forEach(each -> server.applied(this, each));
        if (slice.whole()) {
            applied(index);
            answer(entry);
        } else {
            server.simulation.stats.slices++;
        }
        return true;
    }

    /** All replicas come to the same, wherever each of them slices the entry. */
    private void compare(SimulatedLog.Entry entry, long index, int from, AppliedSlice slice) {
        if (entry.outcomes.size() <= from) {
            server.simulation.invariants.executed(
                    rangeId, index, entry.commands.orElseThrow(), from, slice);
        }
        for (int i = from; i < slice.end(); i++) {
            Outcome outcome = slice.outcomes().get(i - from);
            if (i >= entry.outcomes.size()) {
                entry.outcomes.add(outcome);
            }
            Violation.unless(
                    entry.outcomes.get(i).equals(outcome),
                    "range %s at %s, command %s: %s on node %s, %s elsewhere",
                    rangeId,
                    index,
                    i,
                    outcome,
                    server.nodeId,
                    entry.outcomes.get(i));
        }
    }

    private void write(AppliedSlice slice, long index) {
        ReplicaPhase next = phase();
        for (Mutation mutation : slice.mutations()) {
            if (mutation instanceof Mutation.PutRange put) {
                server.simulation.invariants.changed(stored.descriptor(), put.range().descriptor());
                next = next.afterChange(put.range(), server.nodeId);
            }
        }
        ReplicaPhase phase = next.afterEntry();
        stored =
                server.store.take(
                        stored,
                        slice.mutations().stream().map(each -> here(each, phase)).toList(),
                        phase,
                        index,
                        slice.whole() ? 0 : slice.end());
    }

    private Mutation here(Mutation mutation, ReplicaPhase phase) {
        return mutation instanceof Mutation.PutChild put && !phase.bears(put.range(), server.nodeId)
                ? new Mutation.DeleteRange(put.range().descriptor().bounds())
                : mutation;
    }

    private void applied(long index) {
        noteSynced();
        server.simulation.invariants.touched(this);
        if (leadsByRaft() && index == leadIndex) {
            server.simulation.trace.note("leads", server.nodeId, rangeId, leadTerm, index);
            server.reports.soon();
        }
    }

    private void answer(SimulatedLog.Entry entry) {
        for (int i = 0; i < entry.proposals.size(); i++) {
            if (appended.remove(entry.proposals.get(i))) {
                entry.proposals
                        .get(i)
                        .done()
                        .accept(new ProposalEnd.Applied(entry.outcomes.get(i)));
            }
        }
    }

    /** The neighbour that this range is to absorb, as a node that runs finds it. */
    @Override
    public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
        SimulatedReplica neighbour =
                server.find(right.rangeId()).orElseThrow(() -> server.noNeighbour(this, right));
        if (neighbour.phase().hasData() && neighbour.descriptor().equals(right)) {
            return new FrozenRange(neighbour.range(), neighbour.stored.ownRows());
        }
        if (neighbour.descriptor().generation().compareTo(right.generation()) > 0) {
            throw server.noNeighbour(this, right);
        }
        // What this range's log has says that the freeze is committed, and that it is here on disk.
        neighbour.known =
                Math.max(neighbour.known, Math.min(freezeIndex, neighbour.log.held(server.nodeId)));
        server.replication.applySoon(neighbour);
        throw new NotYetException();
    }

    @Override
    public String toString() {
        return "replica of "
                + rangeId
                + " on "
                + server.nodeId
                + ": "
                + stored.descriptor()
                + " "
                + phase()
                + " applied "
                + appliedIndex()
                + " known "
                + known
                + " held "
                + log.held(server.nodeId)
                + " of "
                + log.end()
                + " leadTerm "
                + leadTerm
                + " of "
                + log.term;
    }
}
