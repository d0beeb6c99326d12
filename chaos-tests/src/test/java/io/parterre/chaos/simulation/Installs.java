package io.parterre.chaos.simulation;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.rows.FreeKeys;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.pcollections.TreePMap;

/** Brings replicas that are behind their leader's log a copy of its rows. */
final class Installs {
    private final SimulatedServer server;
    private final Set<RangeId> underWay = new TreeSet<>();

    Installs(SimulatedServer server) {
        this.server = server;
    }

    void forget() {
        underWay.clear();
    }

    void begin(SimulatedReplica replica, SimulatedReplica leader) {
        if (leader.gone || !underWay.add(replica.rangeId)) {
            return;
        }
        StoredReplica copied = leader.stored;
        TreePMap<Key, byte[]> rows =
                NodeStore.within(leader.server.store.data(), copied.descriptor().bounds());
        long needed = replica.log.dropped;
        server.later(
                server.simulation.conditions.copyMillis(),
                () -> {
                    underWay.remove(replica.rangeId);
                    if (!replica.gone
                            && !leader.gone
                            && copied.phase().hasData()
                            && copied.appliedIndex() >= needed
                            && copied.appliedIndex() > replica.appliedIndex()) {
                        install(replica, copied, rows);
                    }
                });
    }

    private void install(
            SimulatedReplica replica, StoredReplica copied, TreePMap<Key, byte[]> rows) {
        RangeDescriptor range = copied.descriptor();
        List<RangeDescriptor> superseded =
                server.replicas.values().stream()
                        .map(SimulatedReplica::descriptor)
                        .filter(each -> !each.rangeId().equals(range.rangeId()))
                        .filter(each -> each.bounds().overlaps(range.bounds()))
                        .toList();
        for (RangeDescriptor each : superseded) {
            // Of ranges that had the same keys one after the other, the later has the greater.
            if (each.generation().compareTo(range.generation()) >= 0) {
                server.simulation.trace.note("copy is older", server.nodeId, range, each);
                return;
            }
        }
        server.simulation.trace.note("copy", server.nodeId, range, copied.appliedIndex());
        server.simulation.stats.copies++;
        KeyRange emptied = replica.descriptor().bounds().hull(range.bounds());
        for (RangeDescriptor each : superseded) {
            server.absorbed(each.rangeId());
            emptied = emptied.hull(each.bounds());
        }
        List<KeyRange> others =
                server.replicas.values().stream()
                        .filter(each -> each != replica)
                        .map(each -> each.descriptor().bounds())
                        .toList();
        server.store.empty(FreeKeys.of(emptied, others));
        server.store.putAll(rows);
        replica.stored =
                new StoredReplica(
                        copied.range(),
                        ReplicaPhase.JOINED,
                        copied.appliedIndex(),
                        copied.begun(),
                        copied.own());
        server.store.put(replica.stored);
        server.store.flush();
        replica.state = java.util.Optional.empty();
        replica.log.held.merge(server.nodeId, copied.appliedIndex(), Math::max);
        replica.known = Math.max(replica.known, copied.appliedIndex());
        superseded.forEach(each -> server.buryLater(each.rangeId()));
        server.simulation.invariants.touched(replica);
        server.reports.soon();
    }
}
