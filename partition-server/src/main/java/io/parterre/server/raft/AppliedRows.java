package io.parterre.server.raft;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.Mutation;
import io.parterre.server.apply.OwnKey;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.apply.SliceContext;
import io.parterre.server.apply.SliceLimits;
import io.parterre.server.apply.SliceRoom;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.copy.StagedCopy;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import io.parterre.server.rows.RowsAt;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

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
    private final ApplyRoom.Share room;
    private final Optional<ApplyMarks.Slot> mark;
    private final CrashHook<CrashPoint> crash;
    private final Set<Key> fences = ConcurrentHashMap.newKeySet();
    private final AtomicReference<AppliedPosition> durable;
    private volatile ReplicaPhase phase;
    private volatile HostedRange range;
    private volatile RangeTime time;
    // Guarded by this.
    private RangeState state;
    private AppliedPosition applied;

    /** Of the rows, which may be ahead of what is applied to them: those of a copy are. */
    private AppliedPosition written;

    /** Entries up to here are in the rows, though some were not applied to them. */
    private long installedIndex = -1;

    /** Rows as of an entry to come. Guarded by this. */
    private Optional<RowsAt> awaited = Optional.empty();

    private boolean closed;
    private volatile boolean ending;

    /** Whether a copy is being put in the place of the rows, or was and failed. */
    private volatile boolean broken;

    /** How often a copy was put in the place of the rows. */
    private volatile long replacements;

    /**
     * Rows as the store holds them.
     *
     * @param neighbourhood the node's other replicas
     * @param room shared with them
     * @param marks where the process notes what it applies
     */
    AppliedRows(
            HostedRange range,
            ServerStore store,
            NodeId self,
            Neighbourhood neighbourhood,
            ApplyRoom room,
            ApplyMarks marks,
            CrashHook<CrashPoint> crash) {
        this.rangeId = range.descriptor().rangeId();
        this.self = self;
        this.store = store;
        this.neighbourhood = neighbourhood;
        this.room = room.share(() -> ending);
        this.crash = crash;
        this.mark = marks.slot(rangeId);
        this.rows = new ReplicaRows(store, rangeId);
        this.range = range;
        this.state = rows.state(range);
        this.fences.addAll(state.fences());
        this.time = state.time();
        this.durable = new AtomicReference<>(rows.durablyApplied());
        this.written = rows.applied();
        this.applied = written;
        this.phase = ReplicaRows.phase(store, rangeId);
    }

    /**
     * Whether the scope is fenced. To be asked after the rows were opened: a fence shows here
     * before its effect on the rows does.
     */
    boolean isFenced(Key scope) {
        return fences.contains(scope);
    }

    /** Scopes that are fenced. */
    Set<Key> fences() {
        return Set.copyOf(fences);
    }

    /** What the range is, as far as applied. */
    HostedRange range() {
        return range;
    }

    /** The range's clock, as far as applied. */
    RangeTime time() {
        return time;
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

    /** From here on nobody waits for memory to apply in: who ends it waits for what is applied. */
    void ending() {
        ending = true;
    }

    /**
     * Applies the next entry of the log, unless the rows hold its effect already, or go: what was
     * written to them after they were deleted would be found by the next replica of the range. Goes
     * on in the midst of it where the rows are.
     *
     * @param position with which it is applied as a whole
     * @return without outcomes if it was not applied, or not all of it now
     * @throws CancellationException if it would have to wait and the replica is to end
     */
    AppliedEntry apply(LogEntry entry, AppliedPosition position) {
        return apply(entry, position, command -> true);
    }

    /** The same for some of its commands: the others leave nothing behind, and have no outcome. */
    synchronized AppliedEntry apply(
            LogEntry entry, AppliedPosition position, Predicate<SubmittedCommand> taken) {
        requireWhole();
        if (position.index() <= installedIndex || phase.isEnding()) {
            applied = position;
            return AppliedEntry.NOTHING;
        }
        takeAwaited(position.index());
        int from = written.commands();
        written.requireNext(position.index());
        // What was begun in slices goes on in slices.
        boolean sliced = from > 0 || room.slices();
        SliceContext context =
                new SliceContext(
                        rows,
                        neighbourhood,
                        sliced || !SliceLimits.mayWait(entry) ? room : SliceRoom.UNBOUNDED,
                        taken,
                        sliced);
        AppliedSlice done;
        try {
            done = applySlice(entry, position, from, context);
            while (!done.whole()) {
                crash.reached(CrashPoint.BETWEEN_SLICES);
                done = done.then(applySlice(entry, position, done.end(), context));
            }
        } finally {
            room.giveBack();
        }
        applied = position;
        takeAwaited(position.index());
        // Who proposed it is told of all or nothing; in a later life of the process nobody waits.
        return new AppliedEntry(done.mutations(), from == 0 ? done.outcomes() : List.of());
    }

    /** What it returns holds no rows: the next slice is made while it is kept. */
    private AppliedSlice applySlice(
            LogEntry entry, AppliedPosition position, int from, SliceContext context) {
        mark.ifPresent(slot -> slot.begin(position.begun(from)));
        AppliedSlice slice = state.apply(entry, position.index(), from, context);
        write(
                slice.mutations(),
                slice.whole() ? position : written.begun(slice.end()),
                position.index());
        time = state.time();
        return slice.withoutRows();
    }

    /** Writes a slice and gives the room for it back: nothing from here on waits with it. */
    private void write(List<Mutation> mutations, AppliedPosition position, long entryIndex) {
        boolean hasChild = false;
        for (Mutation mutation : mutations) {
            // Before the rows change, see isFenced.
            if (mutation instanceof Mutation.PutOwn own && own.key().kind() == OwnKey.Kind.FENCE) {
                fences.add(own.key().suffix());
            } else if (mutation instanceof Mutation.PutRange put) {
                becomeWithNext(phase.afterChange(put.range(), self));
            } else if (mutation instanceof Mutation.DeleteRange again && !again.reclaimed()) {
                store.keepFiles(again.range());
            } else if (mutation instanceof Mutation.PutChild) {
                hasChild = true;
            }
        }
        becomeWithNext(phase.afterEntry());
        rows.write(
                hasChild ? mutations.stream().map(this::here).toList() : mutations,
                position,
                entryIndex);
        written = position;
        room.giveBack();
        for (Mutation mutation : mutations) {
            if (mutation instanceof Mutation.DeleteRange deleted && deleted.reclaimed()) {
                store.reclaim(deleted.range());
            } else if (mutation instanceof Mutation.PutChild put && isBornHere(put)) {
                // While the range still has the keys: at no moment are they of no replica.
                neighbourhood.childCreated(put.range());
            } else if (mutation instanceof Mutation.DeleteOwn own
                    && own.key().kind() == OwnKey.Kind.FENCE) {
                fences.remove(own.key().suffix());
            } else if (mutation instanceof Mutation.PutRange put) {
                range = put.range();
            } else if (mutation instanceof Mutation.TakeIn taken) {
                // Once the range has the keys: at no moment are they of no replica.
                neighbourhood.absorbed(taken.range().descriptor().rangeId());
            }
        }
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
            written.requireWhole();
            takeAwaited(position.index());
            becomeWithNext(phase.afterEntry());
            rows.write(List.of(), position, position.index());
            written = position;
            takeAwaited(position.index());
        }
        applied = position;
    }

    /**
     * Keeps the rows as they are once exactly that entry is applied, which may be so already. One
     * is waited for at a time.
     */
    synchronized void await(RowsAt rowsAt) {
        if (closed || broken || !phase.hasData()) {
            rowsAt.miss(Why.CHANGED);
        } else if (awaited.filter(other -> !other.isSettled()).isPresent()) {
            rowsAt.miss(Why.BUSY);
        } else {
            awaited = Optional.of(rowsAt);
            takeAwaited(written.index());
        }
    }

    /**
     * Keeps what is waited for, or gives it up.
     *
     * @param index of the entry that was applied last, or is next: some of Ratis's own come between
     *     that nobody is told of, and what is there before the next is there at those
     */
    private void takeAwaited(long index) {
        if (awaited.isEmpty()) {
            return;
        }
        RowsAt rowsAt = awaited.get();
        if (written.lastTouched() > rowsAt.index()) {
            rowsAt.miss(Why.PASSED);
        } else if (written.index() == rowsAt.index() || index > rowsAt.index()) {
            rowsAt.take(store, range);
        } else {
            return;
        }
        awaited = Optional.empty();
    }

    private void missAwaited() {
        awaited.ifPresent(rowsAt -> rowsAt.miss(Why.CHANGED));
        awaited = Optional.empty();
    }

    /** Whoever failed to put a copy in their place has the node end. */
    private void requireWhole() {
        if (broken) {
            throw new CancellationException("rows of range " + rangeId + " are being replaced");
        }
    }

    /**
     * Notes that an entry is about to be read and applied, until {@link #unmark}: should it end the
     * process, the next start knows.
     */
    synchronized void mark(AppliedPosition position) {
        mark.ifPresent(slot -> slot.begin(position.begun(written.commands())));
    }

    /** The entry was applied, or failed without an end of the process. */
    synchronized void unmark() {
        mark.ifPresent(ApplyMarks.Slot::end);
    }

    /** Last entry that has left something in the rows. */
    synchronized long lastTouched() {
        return written.lastTouched();
    }

    /**
     * Puts a complete copy in the place of the rows. Entries up to its position that are still
     * applied are skipped from then on. A failure other than an {@code IOException} leaves the rows
     * unusable until the next start, which goes on from the copy.
     *
     * @param overtaken replicas of ranges that no longer exist, whose keys are the copied range's
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
        missAwaited();
        replacements++;
        try {
            KeyRange held = range.descriptor().bounds();
            Installation.run(store, copy.range(), held, overtaken, others, copy.folder(), crash);
        } catch (IOException failure) {
            throw new IllegalStateException("copy of " + position + " not taken in", failure);
        }
        range = ReplicaRows.descriptor(store, rangeId).orElseThrow();
        state = rows.state(range);
        phase = phase.on(ReplicaPhase.Event.COPY_STAGED).on(ReplicaPhase.Event.COPY_INSTALLED);
        fences.clear();
        fences.addAll(state.fences());
        time = state.time();
        installedIndex = position.index();
        written = position;
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
        missAwaited();
        ReplicaPhase next = phase.on(ReplicaPhase.Event.GIVEN_UP);
        ReplicaRows.mark(store, rangeId, next);
        phase = next;
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

    /** Another range has its rows and goes on from them: what is left of this one goes. */
    synchronized void superseded() {
        missAwaited();
        phase = phase.on(ReplicaPhase.Event.GIVEN_UP);
    }

    /** From here on its range no longer exists, and nothing is written. */
    synchronized void absorbed() {
        missAwaited();
        phase = phase.on(ReplicaPhase.Event.ABSORBED);
    }

    @Override
    public synchronized void close() {
        closed = true;
        mark.ifPresent(ApplyMarks.Slot::close);
        missAwaited();
        rows.close();
    }
}
