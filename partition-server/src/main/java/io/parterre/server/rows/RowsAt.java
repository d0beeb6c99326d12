package io.parterre.server.rows;

import io.parterre.range.Generation;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.compare.Digest;
import io.parterre.server.compare.MemberAnswer;
import io.parterre.server.compare.MemberAnswer.Why;
import io.parterre.server.store.DropWatch;
import io.parterre.server.store.ServerStore;
import io.parterre.server.store.StoreException;
import io.parterre.server.store.StoreSnapshot;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A replica's rows as they are at exactly one log entry: waited for until it is applied, then kept
 * by a snapshot of the store, which costs the thread that applies next to nothing. Read once, by
 * one thread; all else is safe for any. To be closed, since the snapshot keeps old versions of
 * rows.
 */
public final class RowsAt implements AutoCloseable {
    private final long index;
    private final Generation generation;
    private final Consumer<Optional<Why>> onSettled;
    // Guarded by this.
    private Optional<StoreSnapshot> snapshot = Optional.empty();
    private Optional<DropWatch> drops = Optional.empty();
    private Optional<HostedRange> range = Optional.empty();
    private Optional<Why> missed = Optional.empty();

    /**
     * Rows that are not there yet.
     *
     * @param generation that the range has at the entry; with any other it was changed
     * @param onSettled told once, when they are there, or why they never will be; may be called by
     *     the thread that applies, with locks held, so it hands on and returns
     */
    public RowsAt(long index, Generation generation, Consumer<Optional<Why>> onSettled) {
        this.index = index;
        this.generation = generation;
        this.onSettled = onSettled;
    }

    public long index() {
        return index;
    }

    public synchronized boolean isSettled() {
        return missed.isPresent() || snapshot.isPresent();
    }

    /** They will never be there; nothing, if that is known or they are. */
    public void miss(Why why) {
        synchronized (this) {
            if (isSettled()) {
                return;
            }
            missed = Optional.of(why);
        }
        onSettled.accept(Optional.of(why));
    }

    /** The entry is applied, and nothing after it. Never throws: it must not harm who applies. */
    public void take(ServerStore store, HostedRange applied) {
        if (!applied.descriptor().generation().equals(generation)) {
            miss(Why.CHANGED);
            return;
        }
        synchronized (this) {
            if (isSettled()) {
                return;
            }
            try {
                // In this order: what is dropped in between is noticed.
                drops = Optional.of(store.files().watchDrops(applied.descriptor().bounds()));
                snapshot = Optional.of(store.snapshot());
                range = Optional.of(applied);
            } catch (StoreException closing) {
                drops.ifPresent(DropWatch::close);
                missed = Optional.of(Why.CHANGED);
            }
        }
        onSettled.accept(missed);
    }

    /**
     * Reads them through.
     *
     * @throws IOException if the pace says so
     */
    public MemberAnswer read(RowsDigest.Pace pace) throws IOException {
        StoreSnapshot rows;
        HostedRange held;
        DropWatch watch;
        synchronized (this) {
            if (missed.isPresent() || snapshot.isEmpty()) {
                return new MemberAnswer.None(missed.orElse(Why.NOT_REACHED));
            }
            rows = snapshot.get();
            held = range.orElseThrow();
            watch = drops.orElseThrow();
        }
        Digest digest = RowsDigest.of(rows, held, pace);
        return watch.isDropped()
                ? new MemberAnswer.None(Why.CHANGED)
                : new MemberAnswer.Held(digest);
    }

    /** Gives the snapshot back; not while it is read. */
    @Override
    public synchronized void close() {
        if (missed.isEmpty()) {
            missed = Optional.of(Why.LATE);
        }
        snapshot.ifPresent(StoreSnapshot::close);
        drops.ifPresent(DropWatch::close);
        snapshot = Optional.empty();
        drops = Optional.empty();
    }
}
