package io.parterre.server.node;

import io.parterre.crash.CrashHook;
import io.parterre.key.KeyRange;
import io.parterre.raftlog.DamagedLogException;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.crash.CrashPoint;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.log.MissingLogException;
import io.parterre.server.quarantine.HeldLogs;
import io.parterre.server.quarantine.QuarantineMark;
import io.parterre.server.raft.RaftHost;
import io.parterre.server.raft.RaftStart;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.Installation;
import io.parterre.server.rows.StoredReplica;
import io.parterre.server.store.ServerStore;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts a node's disk in order at a start, before any replica joins its Raft group. A replica whose
 * log is damaged is left out and its log kept as it is, if the range has other members; if not,
 * nothing starts. A quarantined replica is left out in any case. Confined to one thread.
 */
final class Restart {
    private static final Logger LOG = LoggerFactory.getLogger(Restart.class);

    private final ServerStore store;
    private final ReplicaFolders folders;
    private final CrashHook<CrashPoint> crash;

    Restart(ServerStore store, ReplicaFolders folders, CrashHook<CrashPoint> crash) {
        this.store = store;
        this.folders = folders;
        this.crash = crash;
    }

    /**
     * Returns the ranges of which the node has replicas, after it has finished interrupted removals
     * and installations.
     *
     * <p>Works in the order in which ranges are created: a child may lie in the bounds that are
     * emptied for an older copy of its parent, but no range lies in one of its children.
     */
    Map<RangeId, HostedRange> ranges() throws IOException {
        Map<RangeId, HostedRange> found = new TreeMap<>();
        for (RangeId rangeId : store.localRows().ranges()) {
            StoredReplica.descriptor(store, rangeId).ifPresent(range -> found.put(rangeId, range));
        }
        // First of all, because the bounds in which they lie may have to be emptied.
        for (RangeId rangeId : List.copyOf(found.keySet())) {
            if (StoredReplica.phase(store, rangeId) == ReplicaPhase.ABSORBED) {
                folders.deleteLog(rangeId);
                StoredReplica.deleteOwnDurably(store, rangeId);
                found.remove(rangeId);
            }
        }
        for (RangeId rangeId : List.copyOf(found.keySet())) {
            finishInterruptedPhase(rangeId, found);
        }
        folders.discardCopies();
        return found;
    }

    private void finishInterruptedPhase(RangeId rangeId, Map<RangeId, HostedRange> found)
            throws IOException {
        ReplicaPhase phase = StoredReplica.phase(store, rangeId);
        List<KeyRange> others =
                found.values().stream()
                        .map(HostedRange::descriptor)
                        .filter(each -> !each.rangeId().equals(rangeId))
                        .map(RangeDescriptor::bounds)
                        .toList();
        if (phase == ReplicaPhase.REMOVING) {
            folders.deleteLog(rangeId);
            StoredReplica.deleteDurably(store, found.remove(rangeId).descriptor(), others);
        } else if (phase == ReplicaPhase.INSTALLING) {
            LOG.info("install resumed rangeId={}", rangeId);
            Installation.resume(store, found.get(rangeId), others, folders.copy(rangeId), crash);
            found.put(rangeId, StoredReplica.descriptor(store, rangeId).orElseThrow());
        }
    }

    /** Repairs each log's end, and drops logs that are behind their rows. */
    void readyLogs(Collection<Replica> replicas) throws IOException {
        for (Replica replica : replicas) {
            if (isQuarantined(replica)) {
                continue;
            }
            Optional<String> held = heldBefore(replica);
            if (held.isPresent()) {
                LOG.error(
                        "replica damaged, not served until it is rebuilt rangeId={} damage={}",
                        replica.descriptor().rangeId(),
                        held.get());
                replica.standing().damaged(held.get());
                continue;
            }
            try {
                folders.requireLog(replica);
                folders.mendLog(replica.descriptor().rangeId());
                folders.catchUpLog(replica);
            } catch (DamagedLogException damaged) {
                hold(replica, damaged.damage(), damaged);
            } catch (MissingLogException missing) {
                hold(replica, missing.getMessage(), missing);
            }
        }
    }

    private boolean isQuarantined(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        Optional<QuarantineMark> mark = folders.quarantines().mark(rangeId);
        if (mark.isEmpty()) {
            // The process may have ended before the replica was resumed completely.
            folders.quarantines().show(rangeId);
            return false;
        }
        folders.quarantines().hide(rangeId);
        replica.quarantined(mark.get());
        LOG.error(
                "replica is quarantined, not served until it is resumed or rebuilt rangeId={}"
                        + " index={} reason={}",
                rangeId,
                mark.get().entry().index(),
                mark.get().reason());
        return true;
    }

    private Optional<String> heldBefore(Replica replica) throws IOException {
        RangeId rangeId = replica.descriptor().rangeId();
        if (folders.held().isEmpty()) {
            HeldLogs.requireNone(folders.logs(), rangeId);
            return Optional.empty();
        }
        return folders.held().get().reason(rangeId);
    }

    private void hold(Replica replica, String damage, IOException failure) throws IOException {
        if (folders.held().isEmpty() || replica.isAlone()) {
            throw failure;
        }
        RangeId rangeId = replica.descriptor().rangeId();
        folders.held().get().hold(rangeId, damage);
        replica.standing().damaged(damage);
        LOG.error(
                "replica damaged, not served until it is rebuilt rangeId={} damage={}",
                rangeId,
                damage);
    }

    /**
     * Starts the Raft server, which reads all logs.
     *
     * @param recreate called with each replica whose group may have begun in vain
     * @throws DamagedLogException if a log is damaged that cannot be left out
     */
    RaftHost host(RaftStart start, Collection<Replica> replicas, Consumer<Replica> recreate)
            throws IOException {
        while (true) {
            try {
                return start.run();
            } catch (IOException | RuntimeException failure) {
                // Ratis does not say which file it could not read, nor where.
                if (!holdDamaged(replicas)) {
                    throw failure;
                }
                replicas.forEach(recreate);
            }
        }
    }

    private boolean holdDamaged(Collection<Replica> replicas) throws IOException {
        boolean found = false;
        for (Replica replica : replicas) {
            try {
                folders.requireWholeLog(replica.descriptor().rangeId());
            } catch (DamagedLogException damaged) {
                hold(replica, damaged.damage(), damaged);
                found = true;
            }
        }
        return found;
    }
}
