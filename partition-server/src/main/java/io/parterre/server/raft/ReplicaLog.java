package io.parterre.server.raft;

import io.parterre.server.log.LogBacklog;
import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.impl.KnownCommit;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;

/**
 * How far the Raft log of a replica reaches on this node. Safe for any thread and never blocks,
 * except where a method says otherwise.
 */
public final class ReplicaLog {
    private final Supplier<Optional<RaftServer.Division>> division;
    private final Supplier<AppliedPosition> applied;

    /** Written by one disk-watch thread at a time. */
    private volatile LogBacklog backlog = LogBacklog.NONE;

    /**
     * Creates the log of a replica.
     *
     * @param division the Raft group; empty if the replica has none
     * @param applied the last applied entry
     */
    ReplicaLog(
            Supplier<Optional<RaftServer.Division>> division, Supplier<AppliedPosition> applied) {
        this.division = division;
        this.applied = applied;
    }

    /** Whether the Raft group has not ended by itself. */
    public boolean isAlive() {
        return division.get()
                .map(running -> !running.getInfo().getLifeCycleState().isClosingOrClosed())
                .orElse(false);
    }

    /**
     * Returns how far the log reaches, committed or not. The answer is exact while there is no
     * leader, when nobody writes. With a leader it is the last entry known to be on disk, with the
     * term of the last applied entry, which is no later, so that nobody waits for an entry that is
     * not there.
     */
    public AppliedPosition end() {
        AppliedPosition position = applied.get();
        boolean led =
                division.get()
                        .map(running -> running.getInfo().getLeaderId() != null)
                        .orElse(false);
        return of(
                log -> {
                    if (led) {
                        return new AppliedPosition(
                                position.term(), Math.max(position.index(), log.getFlushIndex()));
                    }
                    TermIndex last = log.getLastEntryTermIndex();
                    return last == null || last.getIndex() < position.index()
                            ? position
                            : new AppliedPosition(last.getTerm(), last.getIndex());
                },
                position);
    }

    /** Whether an entry is applied and in the log on this node's disk. */
    public boolean hasDurably(long index) {
        return applied.get().index() >= index
                && division.get()
                        .map(running -> running.getRaftLog().getFlushIndex() >= index)
                        .orElse(false);
    }

    /** Last entry that is applied and in the log on this node's disk; -1 if unknown. */
    public long syncedIndex() {
        return Math.min(applied.get().index(), of(RaftLog::getFlushIndex, -1L));
    }

    /** Lets the log be applied up to an entry that is known to be committed, without a leader. */
    void knownCommitted(long index) {
        division.get().ifPresent(running -> KnownCommit.advance(running, index));
    }

    /**
     * Returns for how long the log has stood still with something to write; zero if it has not.
     * Used by one thread at a time; may wait for the thread that writes.
     */
    public Duration backlogAge(long nowNanos) {
        Optional<LogBacklog> next =
                of(
                        log -> {
                            // In this order, so that an entry synced in between does not count as
                            // backlog.
                            TermIndex last = log.getLastEntryTermIndex();
                            long synced = log.getFlushIndex();
                            return Optional.of(
                                    backlog.next(
                                            synced, last == null ? -1 : last.getIndex(), nowNanos));
                        },
                        Optional.empty());
        if (next.isEmpty()) {
            return Duration.ZERO;
        }
        backlog = next.get();
        return backlog.age(nowNanos);
    }

    /**
     * Returns the first entry that the range waits for this node to sync, or the last synced one if
     * it waits for none; empty if the group has just ended.
     */
    public OptionalLong awaitedIndex() {
        LogBacklog known = backlog;
        OptionalLong synced = of(log -> OptionalLong.of(log.getFlushIndex()), OptionalLong.empty());
        return synced.isPresent() && known.waiting()
                ? OptionalLong.of(synced.getAsLong() + 1)
                : synced;
    }

    /**
     * Applies a function to the log; returns the default if the group has no open log, because it
     * may just end.
     */
    private <T> T of(Function<RaftLog, T> told, T otherwise) {
        Optional<RaftServer.Division> running = division.get();
        if (running.isEmpty() || !isAlive()) {
            return otherwise;
        }
        try {
            return told.apply(running.get().getRaftLog());
        } catch (IllegalStateException closed) {
            return otherwise;
        }
    }
}
