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
import io.parterre.server.rows.ReplicaRows;
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

    /** When removals were ordered that have to wait. */
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

    /** Forgets removals of replicas that are not here any more. */
    void retain() {
        removalsNanos.keySet().retainAll(replicas.keySet());
    }

    /**
     * Keeps a replica of the range, a new and empty one that votes at once if there is none. What
     * the range is by now follows from its log alone. Where this failed, it may be tried again.
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
     * Keeps a replica of a range that lives elsewhere, a new and empty one without a say if there
     * is none. Where this failed, it may be tried again.
     *
     * @param range as it is without this node
     * @return whether there was none
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
            ReplicaRows.found(store, range);
        } else {
            ReplicaRows.keep(store, range, phase);
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
     * Has a replica that was born take part in its group, if it does not yet. Not under the lock of
     * all replicas, which others hold while they wait for syncs and for Ratis: the keys of a split
     * are not served until this is done.
     */
    void joinChild(Replica child) throws IOException {
        synchronized (child.membership()) {
            boolean here = replicas.get(child.descriptor().rangeId()) == child;
            if (here && !child.hasGroup() && child.damage().isEmpty() && !node.isClosing()) {
                join(child);
            }
        }
    }

    /** Has a replica that a start has found, or an operator resumes, take part in its group. */
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

    /** Its descriptor was kept, but then its group could not be added; or the group has ended. */
    void joinAgain(Replica replica) throws IOException {
        synchronized (replica.membership()) {
            joinIfOut(replica);
        }
    }

    private void joinIfOut(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        if (!replica.lifecycle().mayJoin()) {
            return;
        }
        if (replica.hasGroup()) {
            replica.leaving();
            node.host().remove(rangeId, false);
        }
        if (!node.host().contains(rangeId)) {
            // Ratis may have begun with the one before.
            replica.restartWith(node.factory().stateMachine(replica.range()));
            folders.catchUpLog(replica);
        }
        join(replica);
    }

    private void join(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        ReplicaPhase phase = replica.rows().phase();
        if (phase.isFirstMember() && node.host().isWithoutMembers(rangeId)) {
            // The process died before its first configuration was written; on its own the group
            // would stay silent for ever. One that was made empty stays so: with members it would
            // vote, and could elect a leader that has nothing.
            node.host().remove(rangeId, false);
            replica.restartWith(node.factory().stateMachine(replica.range()));
        }
        boolean fresh = phase == ReplicaPhase.BORN && !node.host().contains(rangeId);
        long startNanos = nanoTicker.getAsLong();
        if (fresh) {
            // A log must never lie there without the rows it goes on from.
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
            // Its log was applied before it was known to have its group.
            replica.leaving();
        } else if (node.host().isAlone(rangeId)) {
            node.host().electSelf(rangeId);
        }
    }

    /**
     * Gives the replica up with all it holds: the range lives on without this node. Does nothing if
     * there is none, or if the range has moved on since. Where this failed, it may be tried again.
     *
     * @param generation at which the node is no member
     * @return whether it was given up
     * @throws IOException if at that generation it is one, as far as it knows
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
     * Whether a left neighbour that is behind may be about to absorb it, and need what it holds:
     * what its log has is not known up to when the removal was ordered.
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
                            OptionalLong synced = left.catchUp().syncedNanos(nowNanos);
                            return synced.isEmpty() || synced.getAsLong() - orderedNanos < 0;
                        });
    }

    /** It was to go, and that was cut short. */
    boolean isRemoving(Replica replica) {
        return replica.lifecycle().isRemoving();
    }

    /** Removes what a replica holds that is marked to go. */
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
        // Also of one that is quarantined: its log is kept under the name that logs have.
        folders.quarantines().show(rangeId);
        if (node.host().contains(rangeId)) {
            node.host().remove(rangeId, damage.isEmpty());
        }
        if (damage.isPresent() && folders.held().isPresent()) {
            // Its log is for operators who look at it.
            folders.held().get().hold(rangeId, damage.get());
        }
        // Ratis only warns of what it could not delete.
        folders.deleteLog(rangeId);
        crash.reached(CrashPoint.REMOVAL_LOG_GONE);
        folders.discardCopy(rangeId);
        ReplicaRows.deleteDurably(store, descriptor, node.othersStored(rangeId));
        replicas.remove(rangeId);
        crash.reached(CrashPoint.REMOVAL_DONE);
        LOG.info("replica removed rangeId={}", rangeId);
    }

    /**
     * Removes what is left of a range that was absorbed, once what has absorbed it is on disk:
     * until then a crash falls back to where its log is needed.
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
                // A start that was under way may have had it take part again.
                gone.leaving();
                if (node.host().contains(rangeId)) {
                    node.host().remove(rangeId, true);
                }
                folders.deleteLog(rangeId);
                crash.reached(CrashPoint.MERGE_LOG_GONE);
                folders.discardCopy(rangeId);
                ReplicaRows.deleteOwnDurably(store, rangeId);
                absorbed.remove(rangeId);
            }
        }
        crash.reached(CrashPoint.MERGE_RIGHT_REMOVED);
        LOG.info("absorbed replica removed rangeId={}", rangeId);
    }
}
