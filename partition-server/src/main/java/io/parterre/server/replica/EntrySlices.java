package io.parterre.server.replica;

import io.parterre.crash.CrashHook;
import io.parterre.key.Key;
import io.parterre.server.apply.AppliedSlice;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.apply.RangeState;
import io.parterre.server.apply.RangeTime;
import io.parterre.server.apply.SliceContext;
import io.parterre.server.apply.SliceLimits;
import io.parterre.server.apply.SliceRoom;
import io.parterre.server.command.LogEntry;
import io.parterre.server.command.SubmittedCommand;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.quarantine.ApplyMarks;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.ReplicaRows;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Applies entries to a range's remembered state, in slices that take turns in the node's memory:
 * each slice is written before the next is made. Not thread-safe: guarded by the monitor of the
 * rows, except for {@link #ending}.
 */
public final class EntrySlices {
    private final ReplicaRows rows;
    private final Neighbourhood neighbourhood;
    private final ApplyRoom.Share room;
    private final Optional<ApplyMarks.Slot> mark;
    private final CrashHook<CrashPoint> crash;
    private final Supplier<HostedRange> range;
    private RangeState state;
    private volatile boolean ending;

    /**
     * Creates the slices of a range's entries.
     *
     * @param range returns the range as stored
     */
    EntrySlices(
            Supplier<HostedRange> range,
            ReplicaRows rows,
            Neighbourhood neighbourhood,
            ApplyRoom room,
            Optional<ApplyMarks.Slot> mark,
            CrashHook<CrashPoint> crash) {
        this.range = range;
        this.rows = rows;
        this.neighbourhood = neighbourhood;
        this.room = room.share(() -> ending);
        this.mark = mark;
        this.crash = crash;
        restore();
    }

    /** Restores the state from the rows, whatever was applied before. */
    public void restore() {
        state = rows.state(range.get());
    }

    /** The range's clock as of the last applied command. */
    public RangeTime time() {
        return state.time();
    }

    /** Fenced scopes as of the last applied command. */
    public Set<Key> fences() {
        return state.fences();
    }

    /** Ends waits for room. Safe for any thread. */
    public void ending() {
        ending = true;
    }

    /**
     * Applies an entry.
     *
     * @param from number of its commands that are applied already
     * @param taken accepts the commands that count
     * @param writer writes each slice, and gives the room back once nothing waits while it holds
     *     room
     * @return everything applied by this call, without rows, because it is kept while the next
     *     slice is made
     * @throws CancellationException if the call would have to wait for room and the replica is to
     *     end
     * @throws NotFrozenYetException if the entry absorbs a neighbour that is not frozen yet; it may
     *     be applied again, continuing from the rows
     */
    public AppliedSlice apply(
            LogEntry entry,
            AppliedPosition position,
            int from,
            Predicate<SubmittedCommand> taken,
            Consumer<AppliedSlice> writer) {
        // An entry that was begun in slices is continued in slices.
        boolean sliced = from > 0 || room.slices();
        SliceContext context =
                new SliceContext(
                        rows,
                        neighbourhood,
                        sliced || !SliceLimits.mayWait(entry) ? room : SliceRoom.UNBOUNDED,
                        taken,
                        sliced);
        try {
            AppliedSlice done = next(entry, position, from, context, writer);
            while (!done.whole()) {
                crash.reached(CrashPoint.BETWEEN_SLICES);
                done = done.then(next(entry, position, done.end(), context, writer));
            }
            return done;
        } catch (NotFrozenYetException later) {
            restore();
            throw later;
        } finally {
            room.giveBack();
        }
    }

    private AppliedSlice next(
            LogEntry entry,
            AppliedPosition position,
            int from,
            SliceContext context,
            Consumer<AppliedSlice> writer) {
        mark(position.begun(from));
        AppliedSlice slice = state.apply(entry, position.index(), from, context);
        writer.accept(slice);
        return slice.withoutRows();
    }

    /** Gives the room back, because a slice is written. */
    void giveRoomBack() {
        room.giveBack();
    }

    /**
     * Notes that an entry is about to be read and applied, until {@link #unmark}. If the entry ends
     * the process, the next start knows.
     */
    public void mark(AppliedPosition position) {
        mark.ifPresent(slot -> slot.begin(position));
    }

    /** Notes that the entry was applied, or failed without an end of the process. */
    public void unmark() {
        mark.ifPresent(ApplyMarks.Slot::end);
    }

    public void close() {
        mark.ifPresent(ApplyMarks.Slot::close);
    }
}
