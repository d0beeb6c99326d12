package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.AppliedEntry;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.RangeState;
import io.parterre.server.command.LogEntry;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A replica's rows and what the range remembers, as far as its log is applied. One thread applies;
 * another may put a copy in the rows' place meanwhile. Fences, positions and the range may be read
 * from any thread.
 */
final class AppliedRows implements AutoCloseable {
    private final RangeId rangeId;
    private final NodeId self;
    private final ServerStore store;
    private final ReplicaRows rows;
    private final Neighbourhood neighbourhood;
    private final Set<Key> fences = ConcurrentHashMap.newKeySet();
    private final AtomicReference<AppliedPosition> durable;
    private volatile ReplicaPhase phase;
    private volatile HostedRange range;
    // Guarded by this.
    private RangeState state;
    private AppliedPosition applied;

    /** Entries up to here are in the rows, though some were not applied to them. */
    private long installedIndex = -1;

    private boolean closed;

    /** Whether a copy is being put in the place of the rows, or was and failed. */
    private volatile boolean broken;

    /** How often a copy was put in the place of the rows. */
    private volatile long replacements;

    /**
     * Rows as the store holds them.
     *
     * @param neighbourhood the node's other replicas
     */
    AppliedRows(HostedRange range, ServerStore store, NodeId self, Neighbourhood neighbourhood) {
        this.rangeId = range.descriptor().rangeId();
        this.self = self;
        this.store = store;
        this.neighbourhood = neighbourhood;
        this.rows = new ReplicaRows(store, rangeId);
        this.range = range;
        this.state = rows.state(range);
        this.fences.addAll(state.fences());
        this.durable = new AtomicReference<>(rows.durablyApplied());
        this.applied = rows.applied();
        this.phase = ReplicaRows.phase(store, rangeId);
    }

    /**
     * Whether the scope is fenced. To be asked after the rows were opened: a fence shows here
     * before its effect on the rows does.
     */
    boolean isFenced(Key scope) {
        return fences.contains(scope);
    }

    /** What the range is, as far as applied. */
    HostedRange range() {
        return range;
    }

    ReplicaPhase phase() {
        return phase;
    }

    /**
     * Number of the copy that the rows are; empty: they are not the range's data, or this node is
     * no member. Rows that were opened between two calls with the same answer are whole.
     */
    OptionalLong readableCopy() {
        OptionalLong copy = wholeCopy();
        return phase.hasData() && range.member(self).isPresent() ? copy : OptionalLong.empty();
    }

    /**
     * The same for whoever knows that they are the range's data, as a leader does. Empty while they
     * are being replaced and once they are given up: files of theirs go at once then, also from
     * under those who read a snapshot.
     */
    OptionalLong wholeCopy() {
        long copy = replacements;
        return broken || phase.isEnding() ? OptionalLong.empty() : OptionalLong.of(copy);
    }

    synchronized AppliedPosition applied() {
        return applied;
    }

    /** Where a crash would fall back to. */
    AppliedPosition durable() {
        return durable.get();
    }

    /** Looks up how far the last flush of the store has come. Never waits for a copy. */
    void refreshDurable() {
        AppliedPosition found = rows.durablyApplied();
        // It only grows: what is found less may be from before a copy, or from the midst of one.
        durable.accumulateAndGet(
                found, (known, read) -> read.index() > known.index() ? read : known);
    }

    /**
     * Applies the next entry of the log, unless the rows hold its effect already, or go: what was
     * written to them after they were deleted would be found by the next replica of the range.
     *
     * @return without outcomes if it was not applied
     */
    synchronized AppliedEntry apply(LogEntry entry, AppliedPosition position) {
        requireWhole();
        if (position.index() <= installedIndex || phase.isEnding()) {
            applied = position;
            return new AppliedEntry(List.of(), List.of());
        }
        AppliedEntry result = state.apply(entry, position.index(), rows, neighbourhood);
        for (Mutation mutation : result.mutations()) {
            // Before the rows change, see isFenced.
            if (mutation instanceof Mutation.PutOwn own && own.key().kind() == OwnKey.Kind.FENCE) {
                fences.add(own.key().suffix());
            } else if (mutation instanceof Mutation.PutRange put) {
                becomeWithNext(phase.afterChange(put.range(), self));
            }
        }
        becomeWithNext(phase.afterEntry());
        rows.write(result.mutations().stream().map(this::here).toList(), position);
        applied = position;
        for (Mutation mutation : result.mutations()) {
            if (mutation instanceof Mutation.DeleteRange deleted) {
                store.reclaim(deleted.range());
            } else if (mutation instanceof Mutation.PutChild put && isBornHere(put)) {
                // While the range still has the keys: at no moment are they of no replica.
                neighbourhood.born(put.range());
            } else if (mutation instanceof Mutation.PutRange put) {
                range = put.range();
            } else if (mutation instanceof Mutation.TakeIn taken) {
                // Once the range has the keys: at no moment are they of no replica.
                neighbourhood.absorbed(taken.range().descriptor().rangeId());
            }
        }
        return result;
    }

    /** What a mutation is on this node. */
    private Mutation here(Mutation mutation) {
        if (!(mutation instanceof Mutation.PutChild put)) {
            return mutation;
        }
        RangeId childId = put.range().descriptor().rangeId();
        if (!isBornHere(put)) {
            return new Mutation.DeleteRange(put.range().descriptor().bounds());
        }
        if (ReplicaRows.descriptor(store, childId).isPresent()) {
            throw new IllegalStateException(
                    "range " + childId + " is here already (expected: an id never used)");
        }
        return mutation;
    }

    private boolean isBornHere(Mutation.PutChild put) {
        return phase.bears(put.range(), self);
    }

    private void becomeWithNext(ReplicaPhase next) {
        if (phase != next) {
            rows.phaseWithNext(next);
            phase = next;
        }
    }

    /** Passes an entry that is Raft's own: it moves the position too. */
    synchronized void pass(AppliedPosition position) {
        requireWhole();
        if (position.index() > installedIndex && !phase.isEnding()) {
            becomeWithNext(phase.afterEntry());
            rows.write(List.of(), position);
        }
        applied = position;
    }

    private void requireWhole() {
        if (broken) {
            throw new IllegalStateException("rows of range " + rangeId + " are being replaced");
        }
    }

    /**
     * Puts a complete copy in the place of the rows. Entries up to its position that are still
     * applied are passed over from then on. A failure other than an {@code IOException} leaves the
     * rows unusable until the next start, which goes on from the copy.
     *
     * @param overtaken replicas of ranges that are no more, whose keys are the copied range's
     * @param others bounds of the node's other replicas
     * @throws IOException if there is nothing to replace any more; nothing was done
     */
    synchronized void replace(
            StagedCopy copy,
            List<RangeDescriptor> overtaken,
            List<KeyRange> others,
            CrashHook<CrashPoint> crash)
            throws IOException {
        AppliedPosition position = copy.applied();
        if (closed || broken || phase.isEnding() || position.index() <= applied.index()) {
            throw new IOException("copy of " + position + " came too late");
        }
        broken = true;
        replacements++;
        try {
            KeyRange held = range.descriptor().bounds();
            Installation.run(store, copy.range(), held, overtaken, others, copy.folder(), crash);
        } catch (IOException failure) {
            throw new IllegalStateException("copy of " + position + " not taken in", failure);
        }
        range = ReplicaRows.descriptor(store, rangeId).orElseThrow();
        state = rows.state(range);
        phase = ReplicaRows.phase(store, rangeId);
        fences.clear();
        fences.addAll(state.fences());
        installedIndex = position.index();
        durable.set(position);
        broken = false;
    }

    /**
     * Marks the replica as one that goes, unless the range has moved on since the generation; waits
     * for a copy that is being taken in. Durable when it returns; no copy and no entry undoes it.
     *
     * @param generation at which the node is no member
     * @return whether it goes
     * @throws IOException if at that generation it is one, as far as it knows
     */
    synchronized boolean giveUp(Generation generation) throws IOException {
        RangeDescriptor descriptor = range.descriptor();
        if (descriptor.generation().compareTo(generation) > 0) {
            return false;
        }
        if (descriptor.generation().equals(generation) && descriptor.members().contains(self)) {
            throw new IOException(
                    "range " + rangeId + " has this node at generation " + generation);
        }
        ReplicaRows.mark(store, rangeId, ReplicaPhase.REMOVING);
        phase = ReplicaPhase.REMOVING;
        return true;
    }

    /**
     * What the range remembers, if it is frozen as a neighbour expects it and holds the range's
     * data; empty: it is not, or not yet.
     */
    synchronized Optional<FrozenRange> frozen(RangeDescriptor expected) {
        boolean is = !broken && phase.hasData() && range.descriptor().equals(expected);
        return is
                ? Optional.of(new FrozenRange(range, ReplicaRows.own(store, rangeId)))
                : Optional.empty();
    }

    /** From here on its range is no more, and nothing is written. */
    synchronized void absorbed() {
        phase = ReplicaPhase.ABSORBED;
    }

    @Override
    public synchronized void close() {
        closed = true;
        rows.close();
    }
}
