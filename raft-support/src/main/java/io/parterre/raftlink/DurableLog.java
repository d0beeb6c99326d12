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
 * Knows which part of a member's term and log is on disk; Ratis 3.3.0 does not tell that exactly.
 * An instance lives as long as the group in this process. Safe for any thread.
 *
 * <p>Entries that contradict the leader's are cut off later, by the log's writer. Until then the
 * log's flush index still covers the old end, while the log already holds the new entries in
 * memory. Ratis would acknowledge a repeat of the new entries at once, though neither the entries
 * nor the cut are on disk. Ratis never syncs the cut: a loss of power could bring the old end back.
 */
public final class DurableLog {
    /** A state machine of ours: calls in its group find the group's {@link DurableLog} by it. */
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

    /** Appends whose entries are not known to be on disk, by their last entry. */
    private final NavigableMap<Long, CompletableFuture<?>> appends = new TreeMap<>();

    private final Deque<Cut> cuts = new ArrayDeque<>();
    private long durableTerm = -1;

    /** Term of this member's last vote for another; -1: none since the start. */
    private long votedTerm = -1;

    public DurableLog(CutSync sync) {
        this.sync = sync;
    }

    /** The log's writer calls {@link #get} after it has cut the files, and waits for the result. */
    private final class Cut extends CompletableFuture<Void> {
        private final long index;

        /** The log's writer alone sets it. */
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
     * Notes that entries are about to be cut off, and that others take their place.
     *
     * @param index first entry to be cut off
     * @return Ratis waits for it after it has cut the files; fails if the cut cannot be synced
     */
    public synchronized CompletableFuture<Void> cut(long index) {
        Cut cut = new Cut(index);
        cuts.add(cut);
        return cut;
    }

    /**
     * The log's writer is about to sync entries. The log's flush index no longer covers what was
     * cut off by now, so cuts that are synced are over.
     */
    public synchronized void writing() {
        while (!cuts.isEmpty() && cuts.peek().synced) {
            cuts.remove();
            notifyAll();
        }
    }

    /** First entry for which the log's flush index is not exact; empty: it is exact for all. */
    public synchronized OptionalLong uncertainFrom() {
        return cuts.stream().mapToLong(cut -> cut.index).min();
    }

    /** Waits until the log's flush index is exact for all entries. */
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
     * An append with entries up to this index is under way.
     *
     * @param written ends when Ratis takes the entries for written
     */
    void appending(long lastIndex, CompletableFuture<?> written) {
        if (written.isDone()) {
            return;
        }
        synchronized (this) {
            // The first one writes; Ratis takes a repeat for written at once.
            appends.putIfAbsent(lastIndex, written);
        }
        written.whenComplete(
                (answered, failure) -> {
                    synchronized (this) {
                        appends.remove(lastIndex, written);
                    }
                });
    }

    /** The append under way that writes this entry; empty: none. */
    synchronized Optional<CompletableFuture<?>> writerOf(long index) {
        return Optional.ofNullable(appends.ceilingEntry(index)).map(Map.Entry::getValue);
    }

    /** Notes that this member has voted for another. */
    synchronized void votedForAnother(long term) {
        votedTerm = Math.max(votedTerm, term);
    }

    /**
     * Requires that this member may lead in the term.
     *
     * @throws IOException if this member has voted for another in that term
     */
    synchronized void requireOwnVote(long term) throws IOException {
        if (votedTerm == term) {
            throw new IOException("another member has this one's vote of term " + term);
        }
    }

    /** Has the keeper make a term durable, unless that term or a later one is durable already. */
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
