package io.parterre.server.node;

import io.parterre.entity.Ticks;
import io.parterre.range.RangeId;
import io.parterre.release.ClusterLevel;
import io.parterre.release.Feature;
import io.parterre.server.change.RepairBackoff;
import io.parterre.server.clock.ClockTrust;
import io.parterre.server.lead.LedRanges;
import io.parterre.server.lifecycle.ReplicaLifecycle;
import io.parterre.server.raft.RaftHost;
import io.parterre.server.raft.Replica;
import io.parterre.server.store.StoreFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Periodic work on the replicas of this node. Safe for any thread. */
public final class ReplicaUpkeep {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaUpkeep.class);

    /** Long enough: Ratis asks for the result of an installation many times a second. */
    private static final Duration RELOAD_PATIENCE = Duration.ofSeconds(20);

    /** Time for the manager to order the removal of a replica that is no member any more. */
    private static final Duration REMOVAL_PATIENCE = Duration.ofSeconds(15);

    private final ReplicaNode node;
    private final ReplicaMembership membership;
    private final AbsorbedCleanup absorbedCleanup;
    private final Supplier<Optional<LedRanges>> led;
    private final Consumer<StoreFailure> onFailure;
    private final Map<RangeId, Replica> replicas;
    private final ClusterLevel level;
    private final LongSupplier nanoTicker;

    // Guarded by the node's lock.
    private final RepairBackoff repairBackoff = new RepairBackoff();

    /**
     * Creates the upkeep of a node.
     *
     * @param led changes of the ranges that the node leads; empty until it has started
     */
    ReplicaUpkeep(
            ReplicaNode node,
            ReplicaMembership membership,
            AbsorbedCleanup absorbedCleanup,
            Supplier<Optional<LedRanges>> led,
            Consumer<StoreFailure> onFailure) {
        this.node = node;
        this.membership = membership;
        this.absorbedCleanup = absorbedCleanup;
        this.led = led;
        this.onFailure = onFailure;
        this.replicas = node.replicas().live();
        this.level = node.level();
        this.nanoTicker = node.nanoTicker();
    }

    /**
     * Continues interrupted work: removals, groups that could not be added, and installed copies
     * that Ratis does not take note of. Ratis never does so if leadership of the range has
     * meanwhile gone to a member whose log reaches further back; such a group is started again.
     */
    public void mend() {
        synchronized (node) {
            node.replicas().absorbed().keySet().forEach(absorbedCleanup::begin);
            repairBackoff.retain(replicas.keySet());
            membership.retain();
            for (Replica replica : replicas.values()) {
                RangeId rangeId = replica.descriptor().rangeId();
                if (!repairBackoff.isDue(rangeId, nanoTicker.getAsLong())) {
                    continue;
                }
                try {
                    mend(replica);
                    repairBackoff.mended(rangeId);
                } catch (IOException failure) {
                    // The other replicas are not affected.
                    LOG.warn("not mended rangeId={}", rangeId, failure);
                    repairBackoff.failed(rangeId, nanoTicker.getAsLong());
                }
            }
        }
    }

    private void mend(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            mendOne(replica);
        }
    }

    private void mendOne(Replica replica) throws IOException {
        ReplicaLifecycle.Upkeep due =
                replica.lifecycle()
                        .upkeep(
                                replica.stateMachine().copies().isReloadOverdue(RELOAD_PATIENCE),
                                replica.stateMachine().group().isRemovedFor(REMOVAL_PATIENCE));
        switch (due) {
            case NOTHING -> {}
            case FINISH_REMOVAL -> membership.finishRemoval(replica);
            case RESTART_GROUP -> {
                LOG.warn("raft group started again rangeId={}", replica.descriptor().rangeId());
                node.takeOut(replica, false);
                membership.joinAgain(replica);
            }
            case JOIN -> {
                if (replica.hasGroup()) {
                    LOG.warn("raft group started again rangeId={}", replica.descriptor().rangeId());
                }
                membership.joinAgain(replica);
            }
        }
    }

    /**
     * Aligns the Raft groups that this node leads and their descriptors if a change of members was
     * never recorded. Called about once a second; waits for nothing.
     */
    public void alignGroups() {
        // Also for groups that this node does not lead, so that after a loss of leadership the time
        // for which they have differed begins again.
        led.get()
                .ifPresent(
                        running -> {
                            replicas.values().forEach(replica -> align(running, replica));
                            running.retain(replicas.keySet());
                        });
    }

    private static void align(LedRanges running, Replica replica) {
        try {
            running.align(replica);
        } catch (IOException gone) {
            LOG.debug("group not aligned rangeId={}", replica.descriptor().rangeId(), gone);
        }
    }

    /**
     * Lets replicas that lead note that they are up to date now, so that they know their staleness
     * once they are cut off. Called about once a second.
     */
    public void noteLeases() {
        replicas.values()
                .forEach(replica -> replica.reads().catchUp().syncedNanos(nanoTicker.getAsLong()));
    }

    /**
     * Reports a failure if Ratis has ended its server by itself, for example after a pause of many
     * minutes. A replica does not always notice, and a node may have none: the node would stay,
     * serve nothing and accept nothing. Called periodically; waits for nothing.
     */
    public void watchRaft() {
        RaftHost watched = node.host();
        if (watched != null && watched.hasEnded() && !node.isClosing()) {
            onFailure.accept(
                    new StoreFailure(
                            "raft server of node " + node.self(),
                            new IllegalStateException("the server ended by itself")));
        }
    }

    /**
     * Removes fences of tables that were deleted long ago from ranges that this node leads.
     * Confined to one thread and called periodically; waits for nothing. Does nothing below the
     * feature level for it.
     */
    public void forgetFences() {
        if (level.has(Feature.FORGOTTEN_FENCES)) {
            led.get().ifPresent(running -> running.forgetFences(replicas.values()));
        }
    }

    /**
     * Sets back the log time of ranges that this node leads if it is far ahead of the node's clock.
     * Confined to one thread and called about twice a minute; waits for nothing. Does nothing below
     * the feature level for it.
     *
     * @param trust the managers' verdict on the node's clock
     */
    public void resetClocks(ClockTrust trust) {
        if (level.has(Feature.CLOCK_RESET)) {
            led.get().ifPresent(running -> running.resetClocks(replicas.values(), trust));
        }
    }

    /**
     * Returns how far the log time of a range that this node leads is ahead of the node's clock at
     * most; zero if none is ahead.
     */
    public Duration timeAhead() {
        long nowTicks = Ticks.of(node.factory().clock().instant());
        long latestTicks =
                replicas.values().stream()
                        .filter(Replica::isLeading)
                        .mapToLong(replica -> replica.rows().time().nowTicks())
                        .max()
                        .orElse(nowTicks);
        return Duration.between(
                Ticks.toInstant(nowTicks), Ticks.toInstant(Math.max(nowTicks, latestTicks)));
    }
}
