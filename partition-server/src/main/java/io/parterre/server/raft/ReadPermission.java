package io.parterre.server.raft;

import io.parterre.server.clock.LeaseClock;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.apache.ratis.server.impl.LeadershipConfirmation;

/**
 * Whether a leader may answer reads from its own rows: while its lease runs, or once a majority has
 * taken a message that the leader sent after the read came. A lease is shorter than the pause
 * between two heartbeats of a quiet group, so a read without a lease asks for a round of
 * heartbeats. Times are in nanoseconds of Ratis's clock. Safe for any thread; never blocks.
 */
public final class ReadPermission {
    /** Time within which no further round is asked for while one is under way. */
    private static final long ROUND_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** Shortest time between two notifications of a lease. */
    private static final long NOTE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final RunningGroup group;
    private final LeaseClock leases;
    private final BooleanSupplier alone;
    private final Runnable onLease;
    private final AtomicReference<Round> round =
            new AtomicReference<>(new Round(nowNanos(), CompletableFuture.completedFuture(null)));

    private volatile long notedNanos = nowNanos();

    /** Last check of whether the lease should be renewed. */
    private volatile long lookedNanos = nowNanos();

    /**
     * Creates the permission of one replica.
     *
     * @param alone whether the range has no other member
     * @param onLease runs a few times a second when a lease may have begun, because the lease of a
     *     quiet group ends before the next one begins
     */
    ReadPermission(RunningGroup group, LeaseClock leases, BooleanSupplier alone, Runnable onLease) {
        this.group = group;
        this.leases = leases;
        this.alone = alone;
        this.onLease = onLease;
    }

    /**
     * A round of messages to the followers.
     *
     * @param askedNanos time at which the round was asked for
     * @param taken ends when a majority has taken the round
     */
    private record Round(long askedNanos, CompletableFuture<Void> taken) {}

    /**
     * Whether rows that are opened from now on hold everything acknowledged.
     *
     * @param sinceNanos moment after the read came; empty to accept a lease only
     */
    boolean holds(OptionalLong sinceNanos) {
        if (hasLease()) {
            renew();
            return true;
        }
        return sinceNanos.isPresent() && isTaken(sinceNanos.getAsLong());
    }

    boolean hasLease() {
        // In this order, so that the clocks are checked while the lease holds.
        return group.hasLease() && (alone.getAsBoolean() || leases.isTrusted());
    }

    private boolean isTaken(long sinceNanos) {
        OptionalLong taken = group.takenNanos();
        return taken.isPresent() && taken.getAsLong() - sinceNanos >= 0;
    }

    /** Renews a lease that reads use before it ends, so that no read waits. */
    private void renew() {
        long nowNanos = nowNanos();
        long lease = leases.leaseNanos();
        if (nowNanos - lookedNanos > lease / 8) {
            lookedNanos = nowNanos;
            if (!isTaken(nowNanos - lease / 2)) {
                ask();
            }
        }
    }

    /** Returns the time of Ratis's clock. */
    public static long nowNanos() {
        return LeadershipConfirmation.nowNanos();
    }

    /**
     * Asks the followers whether this replica leads. The future ends when a majority has answered.
     */
    public CompletableFuture<Void> ask() {
        long nowNanos = nowNanos();
        Round last = round.get();
        boolean underWay = !last.taken().isDone() && nowNanos - last.askedNanos() < ROUND_NANOS;
        if (!underWay) {
            Round next = new Round(nowNanos, new CompletableFuture<>());
            if (round.compareAndSet(last, next)) {
                last.taken().complete(null);
                group.askFollowers();
                return next.taken();
            }
        }
        return round.get().taken();
    }

    /** Called when a follower has taken a message: a round may have ended and a lease begun. */
    void taken() {
        long nowNanos = nowNanos();
        if (nowNanos - notedNanos > NOTE_NANOS) {
            notedNanos = nowNanos;
            onLease.run();
        }
        Round last = round.get();
        if (!last.taken().isDone() && isTaken(last.askedNanos())) {
            last.taken().complete(null);
        }
    }
}
