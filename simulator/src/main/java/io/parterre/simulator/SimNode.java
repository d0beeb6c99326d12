package io.parterre.simulator;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.server.change.ChildLeaders;
import io.parterre.server.change.EndedMerges;
import io.parterre.server.command.Member;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
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

    // Of the process that runs.
    long start;
    final Set<RangeId> underWay = new HashSet<>();
    final SimRefusals refusals = new SimRefusals();
    ChildLeaders childLeaders = new ChildLeaders();
    EndedMerges endedMerges = new EndedMerges();

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

    Member asMember() {
        return member(self);
    }

    static Member member(ClusterNode node) {
        return new Member(node.nodeId(), node.raftAddress(), node.serviceAddress());
    }

    /** The process ends, and with it what it had begun. */
    void end() {
        up = false;
        start++;
        underWay.clear();
        refusals.retain(List.of());
        childLeaders = new ChildLeaders();
        endedMerges = new EndedMerges();
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
