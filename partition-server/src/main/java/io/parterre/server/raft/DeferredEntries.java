package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.lifecycle.DeferredApply;
import io.parterre.server.lifecycle.GroupLife;
import io.parterre.server.propose.ProposedEntry;
import io.parterre.server.replica.NeighbourWatch;
import io.parterre.server.replica.NoNeighbourException;
import io.parterre.server.rows.AppliedPosition;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.server.raftlog.RaftLogIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Applies the entries that Ratis hands over, in order. If an entry absorbs a neighbour that is not
 * frozen yet, that entry and those after it are deferred: Ratis's thread continues, and the wait is
 * kept as a state. Only positions are held. The entries are committed, stay in the log, and are
 * read from there again. Once the neighbour is frozen, a thread of the node applies them; after the
 * last one Ratis's thread applies again itself.
 *
 * <p>Ratis 3.3.0 has no way to accept an entry without applying it, so:
 *
 * <ul>
 *   <li>{@code applyTransaction} answers at once. A pending answer would keep the entry in the heap
 *       ({@code StateMachineUpdater.applyLog}), and the updater would wait for it before each check
 *       for a snapshot and at its end ({@code takeSnapshot}, {@code run}). The proposer of an entry
 *       waits for {@link ProposedEntry#settled} instead.
 *   <li>Ratis takes a leader for ready once the first entry of its term was handed over ({@code
 *       LeaderStateImpl.checkReady}). So {@link Replica} also asks {@link #isDeferred}, last.
 *   <li>Everything else that Ratis takes for applied is {@code getLastAppliedTermIndex}, which only
 *       follows what is applied ({@code ServerState.getLastAppliedIndex}).
 * </ul>
 *
 * <p>Ratis's updater hands over; any thread may ask and signal; one thread at a time resumes.
 */
public final class DeferredEntries {
    private static final Logger LOG = LoggerFactory.getLogger(DeferredEntries.class);

    /**
     * Entries applied in a row, so that other waiting replicas of the node get their turn on the
     * same threads.
     */
    static final int TURN_MAX = 256;

    private final RangeId rangeId;
    private final ReplicaGroup group;
    private final Applier applier;
    private final EntryLog log;
    private final NeighbourWatch watch;
    private final Runnable onResume;
    private final Runnable signal = this::signal;

    /**
     * Held while a deferred entry is applied. A thread that ends or restarts the replica waits for
     * that entry, and gets the lock before the next one.
     */
    private final ReentrantLock applying = new ReentrantLock(true);

    private final AtomicInteger signals = new AtomicInteger();

    /** Empty if nothing is deferred. Written under the monitor. */
    private volatile Optional<DeferredApply> wait = Optional.empty();

    // Guarded by this.
    private final DeferredSpan span = new DeferredSpan();
    private Runnable cancelLook = () -> {};

    /** Applies entries to the replica. */
    interface Applier {
        /**
         * Applies the next entry.
         *
         * @throws NotFrozenYetException if the entry has to be applied later; nothing else is
         *     thrown
         */
        void apply(LogEntryProto logged, Optional<ProposedEntry> own);

        /** Moves the applied position past an entry of Ratis's own. */
        void pass(AppliedPosition position);

        /**
         * Whether a copy that holds the entry has replaced the rows, or is replacing them. Ratis is
         * then about to start again from the copy, and to drop the log up to there.
         */
        boolean isCopied(long index);

        /** Called when the replica cannot continue from its log. */
        void lacksNeighbour(AppliedPosition position, NoNeighbourException why);
    }

    /**
     * Creates the deferred entries of a replica.
     *
     * @param onResume called when nothing is deferred any more
     */
    DeferredEntries(
            RangeId rangeId,
            ReplicaGroup group,
            Applier applier,
            EntryLog log,
            NeighbourWatch watch,
            Runnable onResume) {
        this.rangeId = rangeId;
        this.group = group;
        this.applier = applier;
        this.log = log;
        this.watch = watch;
        this.onResume = onResume;
    }

    /** Whether entries wait that Ratis takes for applied. */
    public boolean isDeferred() {
        return wait.isPresent();
    }

    /** Takes the next entry, which is applied now or later. */
    void apply(LogEntryProto logged, Optional<ProposedEntry> own) {
        if (isTaken(logged.getIndex(), own)) {
            return;
        }
        try {
            applier.apply(logged, own);
        } catch (NotFrozenYetException behind) {
            defer(logged, own, behind);
        }
    }

    /** Takes the next entry, which is Ratis's own. */
    void pass(AppliedPosition position) {
        if (!isTaken(position.index(), Optional.empty())) {
            applier.pass(position);
        }
    }

    private synchronized boolean isTaken(long index, Optional<ProposedEntry> own) {
        if (!isDeferred()) {
            return false;
        }
        span.add(index, own);
        return true;
    }

    private void defer(
            LogEntryProto logged, Optional<ProposedEntry> own, NotFrozenYetException behind) {
        LOG.info(
                "waits for its neighbour rangeId={} index={} rightRangeId={} freezeIndex={}",
                rangeId,
                logged.getIndex(),
                behind.neighbour().rangeId(),
                behind.freezeIndex());
        synchronized (this) {
            span.begin(logged.getIndex(), own);
            wait =
                    Optional.of(
                            DeferredApply.begun(
                                    logged.getTerm(),
                                    logged.getIndex(),
                                    behind.neighbour(),
                                    behind.freezeIndex(),
                                    watch.nowNanos()));
            watch.waits(rangeId, signal);
        }
        signal();
    }

    /** Signals that the neighbour may have changed; does not wait. */
    void signal() {
        if (isDeferred() && signals.getAndIncrement() == 0) {
            watch.execute(this::run);
        }
    }

    private void run() {
        int seen = signals.get();
        try {
            look();
        } catch (RuntimeException | Error failure) {
            // Without this no thread would check again, and the range would wait for ever.
            group.failed("deferred apply", nextIndex(), failure);
            end();
        } finally {
            if (signals.addAndGet(-seen) != 0) {
                watch.execute(this::run);
            }
        }
    }

    private void look() {
        boolean resumes = isToResume();
        for (int turn = 0; resumes && turn < TURN_MAX; turn++) {
            resumes = isNextApplied();
        }
        if (resumes) {
            signal();
        }
    }

    private boolean isToResume() {
        applying.lock();
        try {
            Optional<DeferredApply> now = wait;
            return now.isPresent() && isToResume(now.get());
        } finally {
            applying.unlock();
        }
    }

    private boolean isToResume(DeferredApply now) {
        if (nextIndex() > now.index() && !group.isEnding()) {
            // The neighbour is absorbed and therefore gone.
            return true;
        }
        DeferredApply.Neighbour neighbour = watch.sight(now);
        // In this order, because a neighbour goes once the copy that holds it has replaced the
        // rows.
        boolean copied = applier.isCopied(now.index());
        DeferredApply.Step step = watch.step(now, neighbour, group.isEnding(), copied);
        switch (step.verdict()) {
            case RESUME -> {}
            case WAIT -> lookAgain(step.next());
            case COPY -> {
                applier.lacksNeighbour(
                        new AppliedPosition(now.term(), now.index()),
                        new NoNeighbourException(now.lacks(neighbour)));
                end();
            }
            case STOP -> {
                group.on(GroupLife.Event.STOPPED);
                end();
            }
        }
        return step.verdict() == DeferredApply.Verdict.RESUME;
    }

    private synchronized void lookAgain(DeferredApply next) {
        wait = Optional.of(next);
        cancelLook.run();
        cancelLook = watch.again(signal);
    }

    /**
     * Applies the next deferred entry. Returns false if there is none or it cannot be applied now.
     */
    private boolean isNextApplied() {
        applying.lock();
        try {
            return isDeferred() && (isResumed() || isApplied(log.read(nextIndex())));
        } catch (RaftLogIOException unreadable) {
            notRead(unreadable);
            return false;
        } catch (IOException gone) {
            LOG.debug("group is gone rangeId={}", rangeId, gone);
            wait.ifPresent(this::lookAgain);
            return false;
        } finally {
            applying.unlock();
        }
    }

    private void notRead(RaftLogIOException unreadable) {
        if (applier.isCopied(nextIndex())) {
            LOG.debug("entry dropped, a copy holds it rangeId={}", rangeId, unreadable);
            wait.ifPresent(this::lookAgain);
        } else {
            group.failed("read of the log", nextIndex(), unreadable);
            end();
        }
    }

    private synchronized long nextIndex() {
        return span.next();
    }

    /** Whether all entries handed over are applied, so that Ratis's thread applies from here on. */
    private boolean isResumed() {
        synchronized (this) {
            if (!span.isPassed()) {
                return false;
            }
            clear();
        }
        LOG.info("waits no more rangeId={} appliedIndex={}", rangeId, nextIndex() - 1);
        onResume.run();
        return true;
    }

    /**
     * Applies an entry of the log. The entry is null if a copy has replaced the log and Ratis is
     * about to start again from the copy.
     */
    private boolean isApplied(LogEntryProto logged) {
        if (logged == null) {
            lookAgain(wait.orElseThrow());
            return false;
        }
        Optional<ProposedEntry> own = proposedNext();
        if (!logged.hasStateMachineLogEntry()) {
            applier.pass(new AppliedPosition(logged.getTerm(), logged.getIndex()));
        } else {
            try {
                applier.apply(logged, own);
            } catch (NotFrozenYetException behind) {
                defer(logged, own, behind);
                return false;
            }
        }
        if (group.hasStopped()) {
            end();
            return false;
        }
        synchronized (this) {
            span.pass();
        }
        own.ifPresent(ProposedEntry::settle);
        return true;
    }

    private synchronized Optional<ProposedEntry> proposedNext() {
        return span.proposedNext();
    }

    /**
     * Gives up all deferred entries, because the replica has stopped, ends, or starts again from a
     * copy.
     */
    void end() {
        applying.lock();
        try {
            clear();
        } finally {
            applying.unlock();
        }
    }

    private synchronized void clear() {
        wait = Optional.empty();
        span.clear();
        cancelLook.run();
        cancelLook = () -> {};
        watch.waitsNoMore(rangeId, signal);
    }
}
