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

    /** The store cannot be used, so the node serves nothing, but its data is there. */
    boolean storeDamaged;

    /** Size of its disk; 0 if not reported. */
    long diskBytes;

    /** Bytes on its disk in use by other data than replicas. */
    long otherBytes;

    /** Whether it rebuilt its store since its last start from outside. */
    boolean rebuiltStore;

    // State of the running process.
    long start;
    final Set<RangeId> underWay = new HashSet<>();
    final SimRefusals refusals = new SimRefusals();
    ChildLeaders childLeaders = new ChildLeaders();
    EndedMerges endedMerges = new EndedMerges();

    /** Its last report and the time of that report. A new one is due if its content has changed. */
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

    /** Ends the process, and with it what it had begun. */
    void end() {
        up = false;
        start++;
        underWay.clear();
        refusals.retain(List.of());
        childLeaders = new ChildLeaders();
        endedMerges = new EndedMerges();
    }

    /** Replaces the node's folder by an empty one. */
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
