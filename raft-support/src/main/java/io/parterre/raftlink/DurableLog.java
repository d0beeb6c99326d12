package io.parterre.raftlink;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * What of one member's term and log is on disk, beyond what Ratis 3.3.0 tells. Lives as long as the
 * group in this process: one that is made again begins again. Safe for any thread.
 *
 * <p>Entries that contradict the leader's are cut off, later, by the log's writer. Until it has,
 * the log still tells of the old end as flushed, while it takes the new entries for its own: a
 * repeat of them would be acknowledged at once, though neither they nor the cut are on disk. And
 * the cut itself is never synced: a loss of power could bring the old end back.
 */
public final class DurableLog {
    /** What a state machine of ours is, so that its group's calls are found by it. */
    public interface Owner {
        DurableLog durableLog();
    }

    /** Makes a cut last. */
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
    private final Deque<Cut> cuts = new ArrayDeque<>();
    private long durableTerm = -1;

    /** Term of the last vote that was given away; -1: none since the start. */
    private long votedTerm = -1;

    public DurableLog(CutSync sync) {
        this.sync = sync;
    }

    /** Ratis asks on the log's writer, which has cut the files by then and does nothing else. */
    private final class Cut extends CompletableFuture<Void> {
        private final long index;

        /** Of the log's writer. */
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
     * Entries are to be cut off, and others to take their place.
     *
     * @param index first of them
     * @return for Ratis to wait for when it has cut the files; fails if that cannot be made to last
     */
    public synchronized CompletableFuture<Void> cut(long index) {
        Cut cut = new Cut(index);
        cuts.add(cut);
        return cut;
    }

    /**
     * The log's writer is about to sync entries. By now the log no longer tells of what it has cut
     * off as flushed: cuts that are made are over.
     */
    public synchronized void writing() {
        while (!cuts.isEmpty() && cuts.peek().synced) {
            cuts.remove();
            notifyAll();
        }
    }

    /** First entry of which the log does not tell truly whether it is on disk; empty: of all. */
    public synchronized OptionalLong uncertainFrom() {
        return cuts.stream().mapToLong(cut -> cut.index).min();
    }

    /** Waits until the log tells truly of all entries. */
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

    /** Another member has got this one's vote. */
    synchronized void votedForAnother(long term) {
        votedTerm = Math.max(votedTerm, term);
    }

    /**
     * This member may lead in the term.
     *
     * @throws IOException if it has given its vote away in it
     */
    synchronized void requireOwnVote(long term) throws IOException {
        if (votedTerm == term) {
            throw new IOException("another member has this one's vote of term " + term);
        }
    }

    /** Makes a term durable by the keeper unless it is, or a later one. */
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
