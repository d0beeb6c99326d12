package io.parterre.simulator;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/** A process with its store. */
final class SimNode {
    ClusterNode self;
    boolean up = true;

    /** It serves nothing, and what it holds is there. */
    boolean storeDamaged;

    /** Size of its disk; 0: it does not tell. */
    long diskBytes;

    /** In use on its disk by other things than replicas. */
    long otherBytes;

    /** Since it was last started from outside. */
    boolean rebuiltStore;

    List<NodeReport.Refusal> refusals = List.of();
    List<NodeReport.MergeRefusal> mergeRefusals = List.of();

    /** Its last report, and when that was made; a new one is due if what it tells has changed. */
    Optional<NodeReport> reported = Optional.empty();

    long reportedAt;
    boolean changed = true;

    final TreeMap<RangeId, SimReplica> replicas = new TreeMap<>();

    SimNode(ClusterNode self) {
        this.self = self;
    }

    NodeId nodeId() {
        return self.nodeId();
    }

    /** Its folder is another one from now on. */
    void forgetAll(long second) {
        replicas.clear();
        self =
                new ClusterNode(
                        nodeId(),
                        self.serviceAddress(),
                        self.raftAddress(),
                        self.zone(),
                        "",
                        "after " + second,
                        self.state());
    }
}
