package io.parterre.server.node;

import io.parterre.key.KeyRange;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.apply.FrozenRange;
import io.parterre.server.apply.HostedRange;
import io.parterre.server.apply.NotFrozenYetException;
import io.parterre.server.lifecycle.ReplicaPhase;
import io.parterre.server.raft.Replica;
import io.parterre.server.replica.Neighbourhood;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The replicas of a node as seen by each other. Safe for any thread. */
final class NodeNeighbours implements Neighbourhood, ReplicaInstaller.OtherReplicas {
    private final ReplicaNode node;
    private final Map<RangeId, Replica> replicas;
    private final ReplicaAdmission admission;
    private final AbsorbedCleanup absorbedCleanup;

    NodeNeighbours(ReplicaNode node, ReplicaAdmission admission, AbsorbedCleanup absorbedCleanup) {
        this.node = node;
        this.replicas = node.replicas().live();
        this.admission = admission;
        this.absorbedCleanup = absorbedCleanup;
    }

    /**
     * Notes that a child of a replica of this node has its rows. Called by the applying thread, so
     * it does not wait: from here on the child is found, and another thread adds its group.
     */
    @Override
    public void childCreated(HostedRange child) {
        Replica replica =
                replicas.computeIfAbsent(
                        child.descriptor().rangeId(), id -> node.factory().replica(child));
        admission.applyTo(replica);
    }

    @Override
    public FrozenRange frozen(RangeDescriptor right, long freezeIndex) {
        return node.replicas()
                .find(right.rangeId())
                .map(replica -> replica.rows())
                // Checked before taking the monitor, so as not to wait for a replica that applies
                // its log.
                .filter(rows -> rows.isFrozenAs(right))
                .flatMap(rows -> rows.frozen(right))
                .orElseThrow(() -> new NotFrozenYetException(right, freezeIndex));
    }

    @Override
    public void absorbed(RangeId rangeId) {
        Replica gone = replicas.get(rangeId);
        if (gone == null) {
            return;
        }
        gone.rows().ends(ReplicaPhase.Event.ABSORBED);
        gone.leaving();
        node.replicas().absorbed().put(rangeId, gone);
        replicas.remove(rangeId);
    }

    @Override
    public void removeAbsorbed(RangeId rangeId) {
        absorbedCleanup.begin(rangeId);
    }

    @Override
    public List<RangeDescriptor> superseded(RangeDescriptor copied) throws IOException {
        List<RangeDescriptor> overlapped =
                node.replicas().overlapping(copied.bounds()).stream()
                        .filter(each -> !each.rangeId().equals(copied.rangeId()))
                        .toList();
        for (RangeDescriptor each : overlapped) {
            // Of two ranges that had the same keys one after the other, the later has the greater
            // generation.
            if (each.generation().compareTo(copied.generation()) >= 0) {
                throw new IOException("copy of " + copied + " is older than " + each);
            }
        }
        return overlapped;
    }

    @Override
    public List<KeyRange> others(RangeId rangeId) {
        return node.replicas().others(rangeId);
    }
}
