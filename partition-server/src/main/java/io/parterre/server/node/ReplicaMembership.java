package io.parterre.server.node;

import io.parterre.crash.CrashHook;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds replicas to this node and to their Raft groups, and removes them. Safe for any thread; each
 * call waits for the disk and for Ratis.
 */
public final class ReplicaMembership {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaMembership.class);

    private final ReplicaNode node;
    private final ReplicaAdmission admission;
    private final Map<RangeId, Replica> replicas;
    private final Map<RangeId, Replica> absorbed;
    private final ServerStore store;
    private final ReplicaFolders folders;
    private final NodeId self;
    private final LongSupplier nanoTicker;
    private final CrashHook<CrashPoint> crash;

    /** Times at which removals were ordered that have to wait. */
    private final Map<RangeId, Long> removalsNanos = new ConcurrentHashMap<>();

    ReplicaMembership(ReplicaNode node, ReplicaAdmission admission) {
        this.node = node;
        this.admission = admission;
        this.replicas = node.replicas().live();
        this.absorbed = node.replicas().absorbed();
        this.store = node.store();
        this.folders = node.folders();
        this.self = node.self();
        this.nanoTicker = node.nanoTicker();
        this.crash = node.crash();
    }

    /** Forgets removals of replicas that are no longer on this node. */
    void retain() {
        removalsNanos.keySet().retainAll(replicas.keySet());
    }

    /**
     * Keeps a replica of the range. If there is none, creates an empty one that votes at once. From
     * then on the range's state follows from its log alone. May be repeated after a failure.
     *
     * @throws IOException if the node is no member, or has other replicas of these keys
     */
    public void host(HostedRange range) throws IOException {
        synchronized (node) {
            if (range.member(self).isEmpty()) {
                throw new IOException(
                        "range " + range.descriptor().rangeId() + " is not for node " + self);
            }
            keep(range, ReplicaPhase.BORN);
        }
    }

    /**
     * Keeps a replica of a range that exists elsewhere. If there is none, creates an empty one
     * without a vote. May be repeated after a failure.
     *
     * @param range the range without this node
     * @return whether a replica was created
     * @throws IOException if the node has other replicas of these keys
     */
    public boolean join(HostedRange range) throws IOException {
        synchronized (node) {
            return keep(range, ReplicaPhase.JOINING);
        }
    }

    private boolean keep(HostedRange range, ReplicaPhase phase) throws IOException {
        RangeDescriptor descriptor = range.descriptor();
        Replica existing = replicas.get(descriptor.rangeId());
        if (existing != null && isRemoving(existing)) {
            finishRemoval(existing);
        } else if (existing != null) {
            joinAgain(existing);
            return false;
        }
        for (Replica other : replicas.values()) {
            if (other.descriptor().bounds().overlaps(descriptor.bounds())) {
                throw new IOException(
                        "range "
                                + descriptor.rangeId()
                                + " overlaps range "
                                + other.descriptor().rangeId()
                                + " on this node");
            }
        }
        crash.reached(CrashPoint.BEFORE_DESCRIPTOR);
        if (phase == ReplicaPhase.BORN) {
            StoredReplica.found(store, range);
        } else {
            StoredReplica.keep(store, range, phase);
        }
        crash.reached(CrashPoint.AFTER_DESCRIPTOR);
        Replica replica = node.factory().replica(range);
        replicas.put(descriptor.rangeId(), replica);
        admission.applyTo(replica);
        synchronized (replica.membership()) {
            join(replica);
        }
        crash.reached(CrashPoint.GROUP_JOINED);
        LOG.info(
                "replica hosted rangeId={} generation={} phase={}",
                descriptor.rangeId(),
                descriptor.generation(),
                phase);
        return true;
    }

    /**
     * Joins a child's replica to its group, if it has not joined yet. Not under the lock of all
     * replicas, which other threads hold while they wait for syncs and for Ratis: the keys of a
     * split are not served until this is done.
     */
    void joinChild(Replica child) throws IOException {
        synchronized (child.membership()) {
            boolean here = replicas.get(child.descriptor().rangeId()) == child;
            if (here && !child.hasGroup() && child.damage().isEmpty() && !node.isClosing()) {
                join(child);
            }
        }
    }

    /** Joins a replica that a start has found, or an operator resumes, to its group. */
    void joinFound(Replica replica) throws IOException {
        try {
            synchronized (replica.membership()) {
                // The child of a split that is applied meanwhile may have joined already.
                if (!replica.hasGroup()) {
                    join(replica);
                }
            }
            if (!replica.isAlone() && !node.host().isAlone(replica.descriptor().rangeId())) {
                replica.standing().on(ConfirmationEvent.JOINED_OTHERS);
            }
        } catch (IOException | RuntimeException ended) {
            if (replica.quarantine().isEmpty()) {
                throw ended;
            }
            LOG.debug("quarantined as it joined rangeId={}", replica.descriptor().rangeId(), ended);
        }
    }

    /**
     * Joins a replica whose descriptor is stored but whose group could not be added, or has ended.
     */
    void joinAgain(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            RangeId rangeId = replica.descriptor().rangeId();
            if (!replica.lifecycle().mayJoin()) {
                return;
            }
            if (replica.hasGroup()) {
                replica.leaving();
                node.host().remove(rangeId, false);
            }
            if (!node.host().contains(rangeId)) {
                // Ratis may have initialized the earlier state machine.
                replica.restartWith(node.factory().stateMachine(replica.range()));
                folders.catchUpLog(replica);
            }
            join(replica);
        }
    }

    private void join(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        ReplicaPhase phase = replica.rows().phase();
        if (phase.isFirstMember() && node.host().isWithoutMembers(rangeId)) {
            // The process died before the group's first configuration was written; by itself the
            // group would stay silent for ever. A replica that was created empty keeps a group
            // without members: with members it would vote, and could elect a leader that has no
            // data.
            node.host().remove(rangeId, false);
            replica.restartWith(node.factory().stateMachine(replica.range()));
        }
        boolean fresh = phase == ReplicaPhase.BORN && !node.host().contains(rangeId);
        long startNanos = nanoTicker.getAsLong();
        if (fresh) {
            // A log must never exist without the rows from which it continues.
            crash.reached(CrashPoint.SPLIT_APPLIED);
            store.flush();
            // Ratis asks where the log begins.
            replica.rows().refreshDurable();
            crash.reached(CrashPoint.SPLIT_FLUSHED);
        }
        long flushedNanos = nanoTicker.getAsLong();
        node.host().join(replica, phase.isFirstMember() ? replica.range().members() : List.of());
        if (fresh) {
            LOG.debug(
                    "child has its group rangeId={} flushMillis={} addMillis={}",
                    rangeId,
                    Duration.ofNanos(flushedNanos - startNanos).toMillis(),
                    Duration.ofNanos(nanoTicker.getAsLong() - flushedNanos).toMillis());
            crash.reached(CrashPoint.CHILD_JOINED);
        }
        if (replica.quarantine().isPresent()) {
            // An entry of the log has quarantined the replica before it was known to have its
            // group.
            replica.leaving();
        } else if (node.host().isAlone(rangeId)) {
            node.host().electSelf(rangeId);
        }
    }

    /**
     * Gives up the replica with all its data: the range goes on without this node. Does nothing if
     * there is no replica, or if the range has moved on since. May be repeated after a failure.
     *
     * @param generation generation at which the node is no member
     * @return whether the replica was given up
     * @throws IOException if the node is a member at that generation, as far as it knows
     */
    public boolean remove(RangeId rangeId, Generation generation) throws IOException {
        synchronized (node) {
            Replica replica = replicas.get(rangeId);
            if (replica == null || mayBeAbsorbed(replica)) {
                return false;
            }
            removalsNanos.remove(rangeId);
            synchronized (replica.membership()) {
                if (!replica.rows().giveUp(generation)) {
                    return false;
                }
                crash.reached(CrashPoint.REMOVAL_MARKED);
                finishRemoval(replica);
            }
            return true;
        }
    }

    /**
     * Whether a left neighbour that is behind may be about to absorb the replica, and need its
     * data: the neighbour is not known to have applied its log up to the time of the order.
     */
    private boolean mayBeAbsorbed(Replica replica) {
        long nowNanos = nanoTicker.getAsLong();
        long orderedNanos =
                removalsNanos.computeIfAbsent(replica.descriptor().rangeId(), id -> nowNanos);
        return replicas.values().stream()
                .filter(each -> each.log().isAlive())
                .filter(
                        each ->
                                each.descriptor()
                                        .bounds()
                                        .endExclusive()
                                        .equals(replica.descriptor().bounds().start()))
                .anyMatch(
                        left -> {
                            OptionalLong synced = left.reads().catchUp().syncedNanos(nowNanos);
                            return synced.isEmpty() || synced.getAsLong() - orderedNanos < 0;
                        });
    }

    /** Whether the replica was marked for removal and the removal was interrupted. */
    boolean isRemoving(Replica replica) {
        return replica.lifecycle().isRemoving();
    }

    /** Removes the data of a replica that is marked for removal. */
    void finishRemoval(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            removeAll(replica);
        }
    }

    private void removeAll(Replica replica) throws IOException {
        RangeDescriptor descriptor = replica.descriptor();
        RangeId rangeId = descriptor.rangeId();
        replica.leaving();
        Optional<String> damage = replica.damage();
        // Also for a quarantined replica, so that its log has the usual name.
        folders.quarantines().show(rangeId);
        if (node.host().contains(rangeId)) {
            node.host().remove(rangeId, damage.isEmpty());
        }
        if (damage.isPresent() && folders.held().isPresent()) {
            // The log is kept for operators.
            folders.held().get().hold(rangeId, damage.get());
        }
        // Ratis only logs a warning if it could not delete something.
        folders.deleteLog(rangeId);
        crash.reached(CrashPoint.REMOVAL_LOG_GONE);
        folders.discardCopy(rangeId);
        StoredReplica.deleteDurably(store, descriptor, node.othersStored(rangeId));
        replicas.remove(rangeId);
        crash.reached(CrashPoint.REMOVAL_DONE);
        LOG.info("replica removed rangeId={}", rangeId);
    }

    /**
     * Removes the rest of a range that was absorbed, once the absorption is on disk. Until then a
     * crash falls back to a position at which the range's log is needed.
     */
    void removeAbsorbed(RangeId rangeId) throws IOException {
        if (!absorbed.containsKey(rangeId)) {
            return;
        }
        store.flush();
        node.replicas().refreshDurable();
        crash.reached(CrashPoint.MERGE_FLUSHED);
        synchronized (node) {
            Replica gone = absorbed.get(rangeId);
            if (gone == null || node.isClosing()) {
                return;
            }
            synchronized (gone.membership()) {
                // A start that was under way may have joined it again.
                gone.leaving();
                if (node.host().contains(rangeId)) {
                    node.host().remove(rangeId, true);
                }
                folders.deleteLog(rangeId);
                crash.reached(CrashPoint.MERGE_LOG_GONE);
                folders.discardCopy(rangeId);
                StoredReplica.deleteOwnDurably(store, rangeId);
                absorbed.remove(rangeId);
            }
        }
        crash.reached(CrashPoint.MERGE_RIGHT_REMOVED);
        LOG.info("absorbed replica removed rangeId={}", rangeId);
    }
}
