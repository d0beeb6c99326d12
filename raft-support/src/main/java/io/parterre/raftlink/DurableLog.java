package io.parterre.raftlink;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * Knows which part of a member's term and log is on disk, which Ratis 3.3.0 does not report
 * exactly. An instance lives as long as the group in this process. Safe for any thread.
 *
 * <p>The log's writer cuts off entries that contradict the leader's, some time after the append.
 * Until then the log's flush index still covers the old end, while the log already holds the new
 * entries in memory. Ratis would acknowledge a repeat of the new entries at once, though neither
 * the entries nor the cut are on disk. Ratis never syncs the cut, so a power loss could bring the
 * old end back.
 */
public final class DurableLog {
    /**
     * A state machine of this project. Calls in its group find the group's {@link DurableLog}
     * through it.
     */
    public interface Owner {
        DurableLog durableLog();
    }

    /** Makes a cut durable. */
    @FunctionalInterface
    public interface CutSync {
        /**
         * Returns once the cut is on disk.
         *
         * @param index first entry that was cut off
         */
        void sync(long index) throws IOException;
    }

    private final CutSync sync;

    /** Appends whose entries are not known to be on disk, by the index of their last entry. */
    private final NavigableMap<Long, CompletableFuture<?>> appends = new TreeMap<>();

    private final Deque<Cut> cuts = new ArrayDeque<>();
    private long durableTerm = -1;

    /** Term of this member's last vote for another; -1: none since the start. */
    private long votedTerm = -1;

    public DurableLog(CutSync sync) {
        this.sync = sync;
    }

    /**
     * A pending cut. The log's writer calls {@link #get} after it has cut the files, and waits for
     * the result.
     */
    private final class Cut extends CompletableFuture<Void> {
        private final long index;

        /** Set by the log's writer only. */
        private volatile boolean synced;

        Cut(long index) {
            this.index = index;
        }

        @Override
        public Void get() throws ExecutionException {
            try {
                sync.sync(index);
            } catch (IOException failure) {
                completeExceptionally(failure);
                throw new ExecutionException(failure);
            }
            synced = true;
            complete(null);
            return null;
        }
    }

    /**
     * Records that entries are about to be cut off, and that other entries take their place.
     *
     * @param index first entry to be cut off
     * @return a future for which Ratis waits after it has cut the files; fails if the cut cannot be
     *     synced
     */
    public synchronized CompletableFuture<Void> cut(long index) {
        Cut cut = new Cut(index);
        cuts.add(cut);
        return cut;
    }

    /**
     * Records that the log's writer is about to sync entries. From then on the log's flush index no
     * longer covers entries that were cut off before, so synced cuts are dropped.
     */
    public synchronized void writing() {
        while (!cuts.isEmpty() && cuts.peek().synced) {
            cuts.remove();
            notifyAll();
        }
    }

    /**
     * Returns the first entry for which the log's flush index is not exact; empty: the flush index
     * is exact for all entries.
     */
    public synchronized OptionalLong uncertainFrom() {
        return cuts.stream().mapToLong(cut -> cut.index).min();
    }

    /**
     * Waits until the log's flush index is exact for all entries.
     *
     * @throws IOException if the flush index is not exact in time, or the wait is interrupted
     */
    void awaitCertain(Duration patience) throws IOException {
        long endNanos = System.nanoTime() + patience.toNanos();
        synchronized (this) {
            while (!cuts.isEmpty()) {
                long leftMillis = (endNanos - System.nanoTime()) / 1_000_000;
                if (leftMillis <= 0) {
                    throw new IOException("log is not cut from " + cuts.peek().index + " on");
                }
                try {
                    wait(leftMillis);
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", interrupted);
                }
            }
        }
    }

    /**
     * Records that an append with entries up to this index is under way.
     *
     * @param written ends when Ratis considers the entries written
     */
    void appending(long lastIndex, CompletableFuture<?> written) {
        if (written.isDone()) {
            return;
        }
        synchronized (this) {
            // The first append writes the entries. Ratis considers a repeat written at once.
            appends.putIfAbsent(lastIndex, written);
        }
        written.whenComplete(
                (answered, failure) -> {
                    synchronized (this) {
                        appends.remove(lastIndex, written);
                    }
                });
    }

    /** Returns the append under way that writes this entry; empty: none. */
    synchronized Optional<CompletableFuture<?>> writerOf(long index) {
        return Optional.ofNullable(appends.ceilingEntry(index)).map(Map.Entry::getValue);
    }

    /** Records that this member has voted for another member. */
    synchronized void votedForAnother(long term) {
        votedTerm = Math.max(votedTerm, term);
    }

    /**
     * Requires that this member may lead in the term.
     *
     * @throws IOException if this member has voted for another member in that term
     */
    synchronized void requireOwnVote(long term) throws IOException {
        if (votedTerm == term) {
            throw new IOException("another member has this one's vote of term " + term);
        }
    }

    /**
     * Calls the keeper to make a term durable, unless that term or a later one is durable already.
     */
    void keepTerm(long term, Keeper keeper) throws IOException {
        synchronized (this) {
            if (durableTerm >= term) {
                return;
            }
        }
        keeper.keep();
        synchronized (this) {
            durableTerm = Math.max(durableTerm, term);
        }
    }

    /** Makes the term and vote on file durable. */
    @FunctionalInterface
    interface Keeper {
        void keep() throws IOException;
    }
}
