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
 * A replica's rows as they are at exactly one log entry. The entry is awaited until it is applied;
 * then a snapshot of the store keeps the rows, at almost no cost to the applying thread. Read once,
 * by one thread; everything else is safe for any thread. Must be closed, because the snapshot keeps
 * old versions of rows.
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
     * Creates a request for rows that are not there yet.
     *
     * @param generation generation of the range at the entry; with any other generation the range
     *     was changed
     * @param onSettled called once, when the rows are there or with the reason why they never will
     *     be. May be called by the applying thread, with locks held, so it must hand over and
     *     return
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

    /** Notes that the rows will never be there. Does nothing if that is known or they are there. */
    public void miss(Why why) {
        synchronized (this) {
            if (isSettled()) {
                return;
            }
            missed = Optional.of(why);
        }
        onSettled.accept(Optional.of(why));
    }

    /**
     * Keeps the rows, because the entry is applied and nothing after it. Never throws, so as not to
     * harm the applying thread.
     */
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
                // In this order, so that files dropped in between are noticed.
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
     * Reads all rows and returns their digest.
     *
     * @throws IOException if the pace throws it
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

    /** Releases the snapshot; not while it is read. */
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
