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
 * and makes writes wait while the disk is full. Safe for any thread.
 */
final class StoreGuard {
    private static final Logger LOG = LoggerFactory.getLogger(StoreGuard.class);
    private static final Duration ROOM_POLL = Duration.ofMillis(500);

    /** An operation that reads or writes. */
    interface Use<T> {
        T run() throws RocksDBException;
    }

    /** An operation that writes. */
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
     * Refuses every operation after the store's failure.
     *
     * @throws StoreException with the first failure as its cause, because the caller may be the one
     *     that reports it to the node
     */
    void refuseAfterFailure() {
        RocksDBException first = failed.get();
        if (first != null) {
            throw new StoreException("the store has failed before: " + first.getMessage(), first);
        }
    }

    /** Returns whether writes wait until the disk has room. Never blocks. */
    boolean isFull() {
        return full.get();
    }

    /** Records that a write succeeded, so the disk has room. */
    void foundRoom() {
        if (full.compareAndSet(true, false)) {
            LOG.info("disk has room again, the store goes on");
        }
    }

    /**
     * Waits some time for room. Polls, as RocksDB does.
     *
     * @throws CancellationException if the store ends or the thread is interrupted meanwhile
     */
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

    /** Ends all waits for room, now and later. */
    void ending() {
        ending.countDown();
    }

    /**
     * Runs {@link #timed}, and waits while the disk is full. The wait does not count as time of the
     * operation.
     */
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

    /** Returns how long the oldest unfinished {@link #timed} has taken so far. */
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
                            // RocksDB recovers only while it has nothing to do, and a requested
                            // flush is something to do. The probe fails before the flush is
                            // requested.
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

    /** Returns the exception to throw. Makes the store fail, unless the disk is only full. */
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
