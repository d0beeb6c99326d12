package io.parterre.server.replica;

import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.apply.SliceLimits;
import io.parterre.server.apply.SliceRoom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Memory in which a node's ranges apply entries with a large effect. Each range has a thread of its
 * own for that, and there may be a hundred. Waiting threads are served in the order of arrival.
 * Safe for any thread.
 *
 * <p>No thread waits for ever. A thread that has room for a slice waits only for the room for
 * oversize, and a thread that has both waits for nothing. Both rooms are given back once the store
 * has written, before other ranges are notified. An entry that takes the monitor of another range's
 * rows, like an absorption, begins a slice and so holds no room meanwhile, see {@link
 * SliceLimits#endsBefore}. A thread whose replica is to end stops waiting.
 */
public final class ApplyRoom {
    /** Divisor for the part of the heap that slices may take. */
    private static final int HEAP_PART = 8;

    /**
     * Heap that one slice takes: the values it keeps, and intermediate copies of the largest
     * entities, which are read, taken apart and put together again.
     */
    static final long SLICE_HEAP_BYTES = 3L * SliceLimits.CURRENT.sliceBytes();

    /** A thread whose replica is to end is not woken, so it polls at this interval. */
    private static final Duration LOOK = Duration.ofMillis(10);

    private final BooleanSupplier slicing;
    private final LongSupplier nanoTicker;
    private final Consumer<Duration> onWait;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final Places slices;
    private final Places oversize = new Places(1);

    /**
     * Creates the room of a node.
     *
     * @param sliceCount number of slices that may be made at a time
     * @param slicing whether an entry may be applied in more than one slice
     * @param onWait called with the time for which a thread waited
     */
    public ApplyRoom(
            int sliceCount,
            BooleanSupplier slicing,
            LongSupplier nanoTicker,
            Consumer<Duration> onWait) {
        this.slicing = slicing;
        this.slices = new Places(sliceCount);
        this.nanoTicker = nanoTicker;
        this.onWait = onWait;
    }

    /**
     * Creates the room of this process: as many slices as its heap has room for, with entries
     * sliced once all nodes can read slices.
     */
    public static ApplyRoom ofHeap(
            ClusterLevel level, LongSupplier nanoTicker, Consumer<Duration> onWait) {
        return new ApplyRoom(
                slicesIn(Runtime.getRuntime().maxMemory()),
                () -> level.has(Feature.SLICED_ENTRIES),
                nanoTicker,
                onWait);
    }

    /** Returns the number of slices for which a heap has room at a time; at least one. */
    public static int slicesIn(long heapBytesMax) {
        return (int) Math.max(1, Math.min(1_024, heapBytesMax / HEAP_PART / SLICE_HEAP_BYTES));
    }

    /** Guarded by the lock. */
    private static final class Places {
        private final Queue<Thread> waiting = new ArrayDeque<>();
        private int free;

        Places(int free) {
            this.free = free;
        }
    }

    /**
     * Returns one range's share of the room.
     *
     * @param isEnding whether the range must wait no more
     */
    public Share share(BooleanSupplier isEnding) {
        return new Share(isEnding);
    }

    /** Number of free slices. */
    int freeSlices() {
        lock.lock();
        try {
            return slices.free;
        } finally {
            lock.unlock();
        }
    }

    private void take(Places places, BooleanSupplier isEnding) {
        lock.lock();
        try {
            if (places.free == 0 || !places.waiting.isEmpty()) {
                await(places, isEnding);
            }
            places.free--;
        } finally {
            lock.unlock();
        }
    }

    private void await(Places places, BooleanSupplier isEnding) {
        long sinceNanos = nanoTicker.getAsLong();
        Thread self = Thread.currentThread();
        places.waiting.add(self);
        try {
            while (places.free == 0 || places.waiting.peek() != self) {
                if (isEnding.getAsBoolean()) {
                    throw new CancellationException("the replica ends");
                }
                changed.await(LOOK.toNanos(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException interrupted) {
            self.interrupt();
            throw new CancellationException("interrupted");
        } finally {
            places.waiting.remove(self);
            changed.signalAll();
            onWait.accept(Duration.ofNanos(nanoTicker.getAsLong() - sinceNanos));
        }
    }

    /** Used by one thread: the one that applies. */
    public final class Share implements SliceRoom {
        private final BooleanSupplier isEnding;
        private boolean hasSlice;
        private boolean hasOversize;

        private Share(BooleanSupplier isEnding) {
            this.isEnding = isEnding;
        }

        /** Whether the next entry may be applied in more than one slice. */
        boolean slices() {
            return slicing.getAsBoolean();
        }

        @Override
        public boolean takeSlice() {
            if (hasSlice) {
                return false;
            }
            take(slices, isEnding);
            hasSlice = true;
            return true;
        }

        @Override
        public void takeOversize() {
            if (!hasSlice) {
                throw new IllegalStateException("oversize: without a slice (expected: within one)");
            }
            if (!hasOversize) {
                take(oversize, isEnding);
                hasOversize = true;
            }
        }

        /** Gives back the room that this share has, if any. */
        void giveBack() {
            if (!hasSlice) {
                return;
            }
            lock.lock();
            try {
                slices.free++;
                oversize.free += hasOversize ? 1 : 0;
                changed.signalAll();
            } finally {
                lock.unlock();
            }
            hasSlice = false;
            hasOversize = false;
        }
    }
}
