package io.parterre.server.node;

import io.parterre.crash.CrashHook;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.quarantine.ApplyMark;
import io.parterre.server.quarantine.CrashLoop;
import io.parterre.server.quarantine.QuarantineMark;
import io.parterre.server.quarantine.QuarantineReason;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.NodeActions;
import io.parterre.server.rows.AppliedPosition;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Quarantines replicas that cannot continue from their log or cannot be trusted, and resumes them.
 * Safe for any thread; waits for the disk and, unless a method says otherwise, for Ratis.
 */
public final class ReplicaQuarantine {
    private static final Logger LOG = LoggerFactory.getLogger(ReplicaQuarantine.class);

    private final ReplicaNode node;
    private final ReplicaMembership membership;
    private final ServerStore store;
    private final ReplicaFolders folders;
    private final CrashHook<CrashPoint> crash;

    ReplicaQuarantine(ReplicaNode node, ReplicaMembership membership) {
        this.node = node;
        this.membership = membership;
        this.store = node.store();
        this.folders = node.folders();
        this.crash = node.crash();
    }

    /** See {@link NodeActions#needsCopy}; waits for nothing. */
    boolean needsCopy(RangeId rangeId, String why) {
        Optional<Replica> replica = node.replicas().find(rangeId);
        boolean may =
                folders.held().isPresent() && replica.filter(each -> !each.isAlone()).isPresent();
        LOG.error("replica cannot go on rangeId={} toBeRebuilt={} why={}", rangeId, may, why);
        if (may) {
            replica.get().standing().damaged(why);
            replica.get().leaving();
            node.changed();
        }
        return may;
    }

    /** See {@link NodeActions#quarantine}; waits for the disk alone. */
    boolean quarantine(RangeId rangeId, AppliedPosition entry, Throwable failure) {
        Optional<Replica> replica = node.replicas().find(rangeId);
        if (node.isClosing() || replica.isEmpty()) {
            return false;
        }
        QuarantineMark mark = QuarantineMark.of(entry, folders.quarantines().release(), failure);
        try {
            crash.reached(CrashPoint.BEFORE_QUARANTINE);
            folders.quarantines().mark(rangeId, mark);
            crash.reached(CrashPoint.QUARANTINE_MARKED);
        } catch (IOException | RuntimeException notNoted) {
            LOG.error("quarantine not noted rangeId={}", rangeId, notNoted);
            return false;
        }
        LOG.error(
                "replica quarantined, an entry could not be applied rangeId={} index={}"
                        + " reason={}",
                rangeId,
                entry.index(),
                mark.reason(),
                failure);
        replica.get().quarantined(mark);
        node.changed();
        return true;
    }

    /** See {@link NodeActions#skipped}; waits for the disk alone. */
    Set<AppliedPosition> skipped(RangeId rangeId) {
        try {
            return Set.copyOf(folders.quarantines().skipped(rangeId));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /**
     * Notes that a closed segment of the replica's log reads differently than it was written. The
     * replica stays in its group until the manager has it rebuilt, because no damaged entry is ever
     * taken from the segment. An only member of its range just goes on.
     */
    public void logDamaged(RangeId rangeId, String damage) {
        Optional<Replica> replica = node.replicas().find(rangeId);
        boolean rebuilds =
                folders.held().isPresent() && replica.filter(each -> !each.isAlone()).isPresent();
        LOG.error("log damaged rangeId={} toBeRebuilt={} damage={}", rangeId, rebuilds, damage);
        if (rebuilds) {
            replica.get().standing().damaged(damage);
            node.changed();
        }
    }

    /**
     * Quarantines a replica that cannot be trusted. The replica leaves its group until it is
     * rebuilt, also after a restart.
     *
     * @param generation generation at which the reason was found; a replica of a later one was
     *     rebuilt since
     * @return whether this call has quarantined the replica
     */
    public boolean quarantine(RangeId rangeId, Generation generation, QuarantineReason reason)
            throws IOException {
        synchronized (node) {
            Replica replica = node.replicas().live().get(rangeId);
            boolean due =
                    replica != null
                            && folders.held().isPresent()
                            && replica.damage().isEmpty()
                            && !replica.isAlone()
                            && !replica.isJoining()
                            && !membership.isRemoving(replica)
                            && replica.descriptor().generation().compareTo(generation) <= 0;
            if (!due) {
                return false;
            }
            String why = reason.text();
            LOG.error("replica quarantined rangeId={} reason={}", rangeId, why);
            replica.standing().damaged(why);
            synchronized (replica.membership()) {
                node.takeOut(replica, false);
                folders.held().get().hold(rangeId, why);
            }
            node.changed();
            return true;
        }
    }

    /**
     * Quarantines a replica that has not reached an entry to be skipped, as if the replica had
     * failed to apply it.
     *
     * @return whether the replica is out of its group before that entry
     */
    boolean stopBefore(Replica replica, AppliedPosition entry) throws IOException {
        synchronized (node) {
            synchronized (replica.membership()) {
                return stoppedBefore(replica, entry);
            }
        }
    }

    private boolean stoppedBefore(Replica replica, AppliedPosition entry) throws IOException {
        node.takeOut(replica, false);
        if (replica.rows().lastTouched() >= entry.index()) {
            membership.joinAgain(replica);
            return false;
        }
        QuarantineMark mark =
                new QuarantineMark(
                        entry,
                        folders.quarantines().release(),
                        "quarantined before it, for an operator");
        RangeId rangeId = replica.descriptor().rangeId();
        folders.quarantines().mark(rangeId, mark);
        replica.quarantined(mark);
        LOG.warn("replica quarantined on request rangeId={} index={}", rangeId, entry.index());
        node.changed();
        return true;
    }

    /**
     * Joins a quarantined replica to its group again. The replica applies its log from its position
     * on.
     */
    void resume(Replica replica) throws IOException {
        synchronized (node) {
            synchronized (replica.membership()) {
                takeUp(replica);
            }
        }
    }

    private void takeUp(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        if (node.host().contains(rangeId)) {
            node.host().remove(rangeId, false);
        }
        // In this order: a start that finds no mark restores the log's name as well.
        folders.quarantines().unmark(rangeId);
        folders.quarantines().show(rangeId);
        replica.standing().resumed();
        replica.restartWith(
                node.factory()
                        .stateMachine(StoredReplica.descriptor(store, rangeId).orElseThrow()));
        new Restart(store, folders, crash).readyLogs(List.of(replica));
        LOG.warn("replica resumed rangeId={}", rangeId);
        if (replica.damage().isEmpty()) {
            membership.joinFound(replica);
        }
        node.changed();
    }

    /**
     * Marks the replica whose entry was being applied when one process after the other ended, so
     * that this start finds it quarantined. Not if damage is not rebuilt, as in an embedded node:
     * nobody could resume the replica.
     */
    boolean crashed(CrashLoop loop) throws IOException {
        Optional<ApplyMark> culprit = loop.culprit();
        if (culprit.isEmpty() || folders.held().isEmpty()) {
            return false;
        }
        AppliedPosition entry = culprit.get().entry();
        if (node.replicas().find(culprit.get().rangeId()).isPresent()) {
            folders.quarantines()
                    .mark(
                            culprit.get().rangeId(),
                            new QuarantineMark(
                                    new AppliedPosition(entry.term(), entry.index()),
                                    folders.quarantines().release(),
                                    "the process ended "
                                            + CrashLoop.RUNS
                                            + " times in a row while it applied this entry"));
        }
        return true;
    }
}
