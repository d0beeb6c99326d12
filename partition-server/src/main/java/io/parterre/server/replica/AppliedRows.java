package io.parterre.server.replica;

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
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.apply.RangeTime;
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
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * A replica's rows and the range's remembered state, up to the applied index. One thread applies;
 * another may replace the rows by a copy meanwhile. Fences, positions and the range may be read
 * from any thread.
 */
public final class AppliedRows implements AutoCloseable {
    private final RangeId rangeId;
    private final NodeId self;
    private final ServerStore store;
    private final ReplicaRows rows;
    private final NodeEffects effects;
    private final AwaitedRows awaited;
    private final DurablePosition durable;
    private final WholeCopy copy;
    private volatile ReplicaPhase phase;
    private volatile HostedRange range;
    private volatile RangeTime time;
    // Guarded by this.
    private final EntrySlices slices;
    private AppliedPosition applied;

    /** Position of the rows, which may be ahead of the applied position: the rows of a copy are. */
    private AppliedPosition written;

    private boolean closed;

    /**
     * Reads the rows from the store.
     *
     * @param neighbourhood the node's other replicas
     * @param room memory shared with the node's other replicas
     * @param marks where the process notes the entries that it applies
     */
    public AppliedRows(
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
        this.effects = new NodeEffects(self, store, neighbourhood);
        this.awaited = new AwaitedRows(store);
        this.rows = new ReplicaRows(store, rangeId);
        this.range = range;
        this.slices =
                new EntrySlices(this::range, rows, neighbourhood, room, marks.slot(rangeId), crash);
        this.effects.restored(slices.fences());
        this.time = slices.time();
        this.durable = new DurablePosition(rows);
        this.copy = new WholeCopy(rangeId);
        this.written = rows.applied();
        this.applied = written;
        this.phase = StoredReplica.phase(store, rangeId);
    }

    /** Whether the scope is fenced; to be asked after the rows were opened. */
    public boolean isFenced(Key scope) {
        return effects.isFenced(scope);
    }

    /** The fenced scopes. */
    public Set<Key> fences() {
        return effects.fences();
    }

    /** The range as of the applied index. */
    public HostedRange range() {
        return range;
    }

    /** The range's clock as of the applied index. */
    public RangeTime time() {
        return time;
    }

    public ReplicaPhase phase() {
        return phase;
    }

    /**
     * Number of the copy that the rows are; empty if they are not the range's data, or this node is
     * no member. Rows opened between two calls with the same answer are whole.
     */
    public OptionalLong readableCopy() {
        OptionalLong whole = wholeCopy();
        return phase.hasData() && range.member(self).isPresent() ? whole : OptionalLong.empty();
    }

    /**
     * Number of the copy for a caller that knows that the rows are the range's data, as a leader
     * does.
     */
    public OptionalLong wholeCopy() {
        return copy.number(phase);
    }

    /** Whether a copy with the entry has replaced the rows, or is replacing them. Never blocks. */
    public boolean isCopied(long index) {
        return copy.isCopied(index);
    }

    public synchronized AppliedPosition applied() {
        return applied;
    }

    /** The position to which a crash would fall back. */
    public AppliedPosition durable() {
        return durable.get();
    }

    /** Looks up the position of the store's last flush. Never waits for a copy. */
    public void refreshDurable() {
        durable.refresh();
    }

    /**
     * Ends waits for memory to apply in, because a thread that ends the replica waits for the entry
     * being applied.
     */
    public void ending() {
        slices.ending();
    }

    /**
     * Applies the next entry of the log. If a part of the entry is in the rows already, continues
     * after that part. Does nothing if the rows hold the entry's effect already, or if the replica
     * is being deleted: the next replica of the range would find what is written after the
     * deletion.
     *
     * @param position position of the whole entry
     * @return without outcomes if the entry was not applied, or only a part of it was applied now
     * @throws CancellationException if the call would have to wait and the replica is to end
     * @throws NotFrozenYetException if the entry has to be applied again, continuing from the rows
     */
    public AppliedEntry apply(LogEntry entry, AppliedPosition position) {
        return apply(entry, position, command -> true);
    }

    /**
     * Applies only some commands of the next entry. The other commands leave nothing behind and
     * have no outcome.
     */
    public synchronized AppliedEntry apply(
            LogEntry entry, AppliedPosition position, Predicate<SubmittedCommand> taken) {
        copy.require();
        if (copy.holds(position.index()) || phase.isEnding()) {
            applied = position;
            return AppliedEntry.NOTHING;
        }
        awaited.take(written, position.index(), range);
        int from = written.commands();
        written.requireNext(position.index());
        AppliedSlice done =
                slices.apply(entry, position, from, taken, slice -> write(slice, position));
        applied = position;
        awaited.take(written, position.index(), range);
        // The proposer gets all outcomes or none. After a restart of the process no proposer waits.
        return new AppliedEntry(done.mutations(), from == 0 ? done.outcomes() : List.of());
    }

    /**
     * Writes a slice and gives its room back, because nothing from here on may wait while it holds
     * room.
     */
    private void write(AppliedSlice slice, AppliedPosition whole) {
        List<Mutation> mutations = slice.mutations();
        for (Mutation mutation : mutations) {
            // Before the rows change, see NodeEffects.isFenced.
            effects.before(mutation);
            if (mutation instanceof Mutation.PutRange put) {
                becomeWithNext(phase.afterChange(put.range(), self));
            }
        }
        becomeWithNext(phase.afterEntry());
        AppliedPosition position = slice.whole() ? whole : written.begun(slice.end());
        rows.write(
                mutations,
                effects.here(mutations, phase),
                written,
                position,
                whole.index(),
                slices.time().latestTicks());
        written = position;
        slices.giveRoomBack();
        for (Mutation mutation : mutations) {
            effects.after(mutation, phase);
            if (mutation instanceof Mutation.PutRange put) {
                range = put.range();
            }
        }
        time = slices.time();
    }

    private void becomeWithNext(ReplicaPhase next) {
        if (phase != next) {
            rows.phaseWithNext(next);
            phase = next;
        }
    }

    /** Passes an entry of Raft's own, which moves the position too. */
    public synchronized void pass(AppliedPosition position) {
        copy.require();
        if (!copy.holds(position.index()) && !phase.isEnding()) {
            written.requireWhole();
            awaited.take(written, position.index(), range);
            becomeWithNext(phase.afterEntry());
            rows.pass(written, position);
            written = position;
            awaited.take(written, position.index(), range);
        }
        applied = position;
    }

    /**
     * Begins to record all further entries if the node records and this replica is not recorded
     * yet.
     */
    public void record() {
        // Checked without the monitor, which a thread that installs a copy holds for long.
        if (!copy.isBroken() && rows.isRecordBehind()) {
            beginRecord();
        }
    }

    private synchronized void beginRecord() {
        if (!closed && !copy.isBroken() && phase.hasData() && !phase.isEnding()) {
            rows.record(written);
        }
    }

    /**
     * Keeps the rows once exactly the given entry is applied, possibly at once. One request at a
     * time.
     */
    public synchronized void await(RowsAt rowsAt) {
        if (closed || copy.isBroken() || !phase.hasData()) {
            rowsAt.miss(Why.CHANGED);
        } else {
            awaited.await(rowsAt, written, range);
        }
    }

    public synchronized void mark(AppliedPosition position) {
        slices.mark(position.begun(written.commands()));
    }

    public synchronized void unmark() {
        slices.unmark();
    }

    /** Last entry that has changed the rows. */
    public synchronized long lastTouched() {
        return written.lastTouched();
    }

    /**
     * Replaces the rows by a complete copy. Entries up to its position that are applied later are
     * skipped. After a failure other than an {@code IOException} the rows are unusable until the
     * next start, which continues from the copy.
     *
     * @param superseded replicas of ranges that no longer exist and whose keys belong to the copied
     *     range
     * @param others removes these replicas, after {@link #isCopied}; returns the bounds of the
     *     other replicas
     * @throws IOException if there is nothing to replace any more; nothing was done
     */
    public synchronized void replace(
            StagedCopy staged,
            List<RangeDescriptor> superseded,
            Supplier<List<KeyRange>> others,
            CrashHook<CrashPoint> crash)
            throws IOException {
        AppliedPosition position = staged.applied();
        if (closed || copy.isBroken() || phase.isEnding() || position.index() <= applied.index()) {
            throw new IOException("copy of " + position + " came too late");
        }
        copy.replacing();
        awaited.miss();
        try {
            KeyRange held = range.descriptor().bounds();
            Installation.run(
                    store, staged.range(), held, superseded, others.get(), staged.folder(), crash);
        } catch (IOException failure) {
            throw new IllegalStateException("copy of " + position + " not taken in", failure);
        }
        range = StoredReplica.descriptor(store, rangeId).orElseThrow();
        slices.restore();
        rows.replaced();
        phase = phase.on(ReplicaPhase.Event.COPY_STAGED).on(ReplicaPhase.Event.COPY_INSTALLED);
        effects.restored(slices.fences());
        time = slices.time();
        written = position;
        durable.copied(position);
        copy.replaced(position.index());
    }

    /**
     * Marks the replica for removal, unless the range has moved on since the generation. Waits for
     * a copy that is being installed. Durable when the call returns; no copy and no entry undoes
     * the mark.
     *
     * @param generation generation at which the node is no member
     * @return whether the replica is marked
     * @throws IOException if the node is a member at that generation, as far as it knows
     */
    public synchronized boolean giveUp(Generation generation) throws IOException {
        RangeDescriptor descriptor = range.descriptor();
        if (descriptor.generation().compareTo(generation) > 0) {
            return false;
        }
        if (descriptor.generation().equals(generation) && descriptor.members().contains(self)) {
            throw new IOException(
                    "range " + rangeId + " has this node at generation " + generation);
        }
        awaited.miss();
        ReplicaPhase next = phase.on(ReplicaPhase.Event.GIVEN_UP);
        StoredReplica.mark(store, rangeId, next);
        phase = next;
        return true;
    }

    /**
     * Returns the frozen range, if it is frozen as a neighbour expects and this replica holds its
     * data; empty if not, or not yet.
     */
    public synchronized Optional<FrozenRange> frozen(RangeDescriptor expected) {
        return isFrozenAs(expected)
                ? Optional.of(new FrozenRange(range, StoredReplica.own(store, rangeId)))
                : Optional.empty();
    }

    /** Whether {@link #frozen} would return the range now; never blocks. */
    public boolean isFrozenAs(RangeDescriptor expected) {
        return !copy.isBroken() && phase.hasData() && range.descriptor().equals(expected);
    }

    /**
     * Notes that the rows belong to another range ({@code GIVEN_UP}), or that the range has ended
     * ({@code ABSORBED}).
     */
    public synchronized void ends(ReplicaPhase.Event how) {
        awaited.miss();
        phase = phase.on(how);
    }

    @Override
    public synchronized void close() {
        closed = true;
        slices.close();
        awaited.miss();
        rows.close();
    }
}
