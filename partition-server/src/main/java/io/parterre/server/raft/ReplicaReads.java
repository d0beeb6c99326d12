package io.parterre.server.raft;

import io.parterre.key.KeyRange;
import io.parterre.server.clock.LeaseClock;
import io.parterre.server.read.CatchUp;
import io.parterre.server.read.ReadGate;
import io.parterre.server.replica.KeysHeld;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * What one replica may answer from its rows, as the leader or as a follower. Safe for any thread;
 * never blocks.
 */
public final class ReplicaReads {
    private final Replica replica;
    private final RunningGroup group;
    private final CatchUp catchUp;
    private final ReadPermission permission;

    ReplicaReads(Replica replica, RunningGroup group, LeaseClock leases, LongSupplier nanoTicker) {
        this.replica = replica;
        this.group = group;
        this.catchUp = new CatchUp(replica::appliedPosition, this::holdsAll);
        this.permission =
                new ReadPermission(
                        group,
                        leases,
                        replica::isAlone,
                        () -> catchUp.syncedNanos(nanoTicker.getAsLong()));
    }

    /** Decides whether the replica may answer reads as the leader. */
    ReadPermission permission() {
        return permission;
    }

    /**
     * Asks the followers whether this replica leads. The future ends when a majority has answered.
     */
    public CompletableFuture<Void> ask() {
        return permission.ask();
    }

    /**
     * Whether rows may be read now.
     *
     * @param sinceNanos {@link ReadPermission#nowNanos} after the read came; empty to require a
     *     lease
     */
    public ReadGate gate(OptionalLong sinceNanos) {
        return gate(() -> permission.holds(sinceNanos));
    }

    private ReadGate gate(BooleanSupplier permitted) {
        return ReadGate.of(
                replica.isAwaitingFirstLeader() || replica.isFrozen(),
                () -> replica.isOpen() && group.isLeader(),
                () -> permitted.getAsBoolean() && !replica.stateMachine().deferred().isDeferred());
    }

    /**
     * Number of the copy of the range's data that the rows are; empty if they must not be read.
     * Rows opened between two calls with the same answer are one whole copy, up to the applied
     * index.
     */
    public OptionalLong readableCopy() {
        return replica.isOpen() && replica.hasGroup()
                ? replica.rows().readableCopy()
                : OptionalLong.empty();
    }

    private boolean holdsAll() {
        // During a split, acknowledged writes to the keys being lost may be in the child.
        return gate(permission::hasLease) == ReadGate.OPEN
                && !replica.stateMachine().pendingSplits().isAny();
    }

    /** How far the replica has caught up with its leader. */
    public CatchUp catchUp() {
        return catchUp;
    }

    /** Whether rows opened before this call are authoritative for these keys. */
    public KeysHeld holds(KeyRange keys) {
        return KeysHeld.of(
                replica.stateMachine().pendingSplits(),
                replica::descriptor,
                replica::isAbsorbed,
                keys);
    }
}
