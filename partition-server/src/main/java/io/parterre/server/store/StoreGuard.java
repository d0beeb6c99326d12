package io.parterre.server.store;

import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.rocksdb.RocksDBException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Guards each use of the open database: counts its users, ends the store at the first disk error,
 * and has what writes wait while the disk is full. Safe for any thread.
 */
final class StoreGuard {
    private static final Logger LOG = LoggerFactory.getLogger(StoreGuard.class);
    private static final Duration ROOM_POLL = Duration.ofMillis(500);

    /** What reads or writes. */
    interface Use<T> {
        T run() throws RocksDBException;
    }

    /** What writes. */
    interface Write {
        void run() throws RocksDBException;
    }

    private final RocksResources rocks;
    private final Consumer<StoreFailure> onFailure;
    private final UseCount uses = new UseCount();
    private final AtomicReference<RocksDBException> failed = new AtomicReference<>();
    private final AtomicBoolean full = new AtomicBoolean();
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Unfinished unfinished;

    StoreGuard(RocksResources rocks, LongSupplier nanoTicker, Consumer<StoreFailure> onFailure) {
        this.rocks = rocks;
        this.onFailure = onFailure;
        this.unfinished = new Unfinished(nanoTicker);
    }

    UseCount uses() {
        return uses;
    }

    boolean hasFailed() {
        return failed.get() != null;
    }

    /**
     * @throws StoreException with the first failure as its cause: the caller may be the one that
     *     tells the node
     */
    void refuseAfterFailure() {
        RocksDBException first = failed.get();
        if (first != null) {
            throw new StoreException("the store has failed before: " + first.getMessage(), first);
        }
    }

    /** Whether what writes waits until the disk has room. Never blocks. */
    boolean isFull() {
        return full.get();
    }

    /** Something was written. */
    void foundRoom() {
        if (full.compareAndSet(true, false)) {
            LOG.info("disk has room again, the store goes on");
        }
    }

    /** Polls, as RocksDB does. */
    void awaitRoom(StoreFullException noRoom) {
        try {
            if (!ending.await(ROOM_POLL.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        CancellationException ended = new CancellationException("ended while the disk was full");
        ended.initCause(noRoom);
        throw ended;
    }

    /** From here on nobody waits for room any more. */
    void ending() {
        ending.countDown();
    }

    /** The same as {@link #timed}, but waits while the disk is full. That takes no time of it. */
    void onceRoom(String operation, Write write) {
        while (true) {
            try {
                timed(operation, write);
                return;
            } catch (StoreFullException noRoom) {
                awaitRoom(noRoom);
            }
        }
    }

    /** How long the oldest of {@link #timed} that has not ended has taken by now. */
    Duration unfinishedAge() {
        return unfinished.age();
    }

    void timed(String operation, Write write) {
        Object work = unfinished.begin();
        try {
            guarded(
                    operation,
                    () -> {
                        if (full.get()) {
                            // RocksDB recovers only once it has nothing to do, and a flush that is
                            // asked for is that.
                            rocks.probe();
                        }
                        write.run();
                        return null;
                    });
            foundRoom();
        } finally {
            unfinished.end(work);
        }
    }

    <T> T guarded(String operation, Use<T> use) {
        uses.enter();
        try {
            return use.run();
        } catch (RocksDBException failure) {
            throw fail(operation, failure);
        } finally {
            uses.leave();
        }
    }

    /** What to throw; has the store fail, unless the disk is full only. */
    StoreException fail(String operation, RocksDBException failure) {
        if (NoRoom.isOfRows(failure)) {
            if (full.compareAndSet(false, true)) {
                LOG.warn("disk full, the store waits for room operation={}", operation, failure);
            }
            return new StoreFullException("store " + operation + ": the disk is full", failure);
        }
        if (failed.compareAndSet(null, failure)) {
            LOG.error("store failed operation={}", operation, failure);
            onFailure.accept(new StoreFailure("store " + operation, failure));
        }
        return new StoreException("store " + operation + " failed", failure);
    }
}
