package io.parterre.server.read;

import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * How far a replica has caught up with its leader, and when it last heard from the leader. Times
 * are by the ticker of the node's replicas. Safe for any thread; never blocks.
 */
public final class CatchUp {
    private final Supplier<AppliedPosition> applied;
    private final BooleanSupplier holdsAll;
    private final AtomicReference<SyncProgress> progress =
            new AtomicReference<>(SyncProgress.UNKNOWN);
    private volatile Optional<SyncProgress.LeaderCommit> lastHeard = Optional.empty();

    /**
     * Creates the state of a replica that has heard from no leader.
     *
     * @param applied last entry that the replica has applied
     * @param holdsAll whether the replica's rows hold everything acknowledged, like those of a
     *     leader with a lease
     */
    public CatchUp(Supplier<AppliedPosition> applied, BooleanSupplier holdsAll) {
        this.applied = applied;
        this.holdsAll = holdsAll;
    }

    /** Notes a leader's message with its commit index, see {@link SyncProgress.LeaderCommit}. */
    public void heard(long atNanos, long term, long committedIndex) {
        SyncProgress.LeaderCommit heard =
                new SyncProgress.LeaderCommit(atNanos, term, committedIndex);
        lastHeard = Optional.of(heard);
        AppliedPosition position = applied.get();
        progress.updateAndGet(known -> known.after(heard, position));
    }

    /** Last message of the leader that the replica follows; empty if there was none. */
    public Optional<SyncProgress.LeaderCommit> lastHeard() {
        return lastHeard;
    }

    /**
     * Returns a time such that rows opened from now on hold everything acknowledged before it;
     * empty if unknown.
     *
     * @param nowNanos time by the ticker of this node's replicas, like the result
     */
    public OptionalLong syncedNanos(long nowNanos) {
        if (holdsAll.getAsBoolean()) {
            return progress.updateAndGet(known -> known.syncedAt(nowNanos)).syncedNanos();
        }
        AppliedPosition position = applied.get();
        return progress.updateAndGet(known -> known.at(position)).syncedNanos();
    }

    /**
     * Whether the replica has caught up.
     *
     * @param behindMax largest lag of a replica that is level
     * @param catchUpMax time for which a larger lag counts
     */
    public boolean hasCaughtUp(long nowNanos, Duration behindMax, Duration catchUpMax) {
        syncedNanos(nowNanos);
        boolean heard =
                lastHeard
                        .filter(last -> nowNanos - last.atNanos() <= behindMax.toNanos())
                        .isPresent();
        return progress.updateAndGet(known -> known.met(nowNanos))
                .hasCaughtUp(nowNanos, behindMax, catchUpMax, heard);
    }
}
