package io.parterre.server.read;

import io.parterre.server.rows.AppliedPosition;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * How far a replica has caught up with its leader, and when the leader was heard last. Times are of
 * the ticker of the node's replicas. Safe for any thread; never blocks.
 */
public final class CatchUp {
    private final Supplier<AppliedPosition> applied;
    private final BooleanSupplier holdsAll;
    private final AtomicReference<SyncProgress> progress =
            new AtomicReference<>(SyncProgress.UNKNOWN);
    private volatile Optional<SyncProgress.LeaderCommit> lastHeard = Optional.empty();

    /**
     * Of a replica that has heard of no leader.
     *
     * @param applied last entry that it has applied
     * @param holdsAll whether its rows hold everything acknowledged, as a leader's with a lease
     */
    public CatchUp(Supplier<AppliedPosition> applied, BooleanSupplier holdsAll) {
        this.applied = applied;
        this.holdsAll = holdsAll;
    }

    /** A leader has said what it had committed, see {@link SyncProgress.LeaderCommit}. */
    public void heard(long atNanos, long term, long committedIndex) {
        SyncProgress.LeaderCommit heard =
                new SyncProgress.LeaderCommit(atNanos, term, committedIndex);
        lastHeard = Optional.of(heard);
        AppliedPosition position = applied.get();
        progress.updateAndGet(known -> known.after(heard, position));
    }

    /** The last word of the leader that it follows; empty: none yet. */
    public Optional<SyncProgress.LeaderCommit> lastHeard() {
        return lastHeard;
    }

    /**
     * Everything acknowledged before this is in rows opened from now on; empty: cannot tell.
     *
     * @param nowNanos by the ticker of this node's replicas, as is the answer
     */
    public OptionalLong syncedNanos(long nowNanos) {
        if (holdsAll.getAsBoolean()) {
            return progress.updateAndGet(known -> known.syncedAt(nowNanos)).syncedNanos();
        }
        AppliedPosition position = applied.get();
        return progress.updateAndGet(known -> known.at(position)).syncedNanos();
    }

    /**
     * Whether it has caught up.
     *
     * @param behindMax lag of a replica that is level
     * @param catchUpMax time for which a lag above that counts
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
