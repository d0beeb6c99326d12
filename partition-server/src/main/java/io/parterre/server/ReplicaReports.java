package io.parterre.server;

import io.parterre.disk.DiskSpace;
import io.parterre.proto.manager.FollowerReport;
import io.parterre.proto.manager.HeartbeatRequest;
import io.parterre.proto.manager.ReplicaReport;
import io.parterre.proto.manager.ReplicaState;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.server.change.FollowerState;
import io.parterre.server.node.Replicas;
import io.parterre.server.raft.Replica;
import io.parterre.server.rows.AppliedPosition;
import java.time.InstantSource;
import java.util.function.Supplier;

/** Makes the node's reports on its replicas to the manager. Reads from the store. */
record ReplicaReports(
        Replicas replicas,
        ReplicaSizes sizes,
        LedLoads loads,
        NodeWatches watches,
        InstantSource clock)
        implements Supplier<HeartbeatRequest.Builder> {
    @Override
    public HeartbeatRequest.Builder get() {
        boolean stalled = watches.disk().isStalled();
        if (!stalled) {
            // The refresh may wait for the disk, and the managers have to learn that such a wait is
            // in vain.
            replicas.registry().refreshDurable();
        }
        loads.observe(replicas.all());
        DiskSpace space = watches.space().space();
        HeartbeatRequest.Builder report =
                HeartbeatRequest.newBuilder()
                        .setDiskUsableBytes(space.usableBytes())
                        .setDiskTotalBytes(space.totalBytes())
                        .setGrowthRefused(watches.space().refusesGrowth())
                        .setDiskStalled(stalled)
                        .setLeadAskedFor(replicas.confirmation().asksForLead());
        for (Replica replica : replicas.all()) {
            boolean isThere =
                    replica.hasGroup()
                            || replica.isBeingRemoved()
                            || replica.standing().isBecomingSuccessor()
                            || replica.damage().isPresent();
            if (isThere) {
                // A replica that is not there is not reported. Otherwise the manager would take an
                // order for done that it has to repeat.
                ReplicaReport.Builder told =
                        report(replica, stalled).setSizeBytes(sizes.bytes(replica.descriptor()));
                if (told.getLeading()) {
                    loads.of(replica.descriptor())
                            .ifPresent(load -> told.setLoad(RangeLoadCodec.toProto(load)));
                }
                report.addReplicas(told);
            }
        }
        // The clock is read last, because the steps before may take time and a late reading looks
        // like a clock that is behind.
        return report.setClockAheadMillis(watches.clock().ahead().toMillis())
                .setClockMillis(clock.millis());
    }

    private static ReplicaReport.Builder report(Replica replica, boolean stalled) {
        RangeDescriptor descriptor = replica.descriptor();
        ReplicaReport.Builder report =
                ReplicaReport.newBuilder()
                        .setRangeId(descriptor.rangeId().value())
                        .setGeneration(descriptor.generation().value())
                        .setLeading(replica.isLeading())
                        .setAppliedIndex(Math.max(0, replica.appliedIndex()))
                        .setFlushedIndex(Math.max(0, replica.flushedIndex()))
                        .addAllMembers(descriptor.members().stream().map(NodeId::value).toList())
                        .setDamage(replica.damage().orElse(""))
                        .setDiffersAt(replica.differing().own().orElse(0))
                        .setUndecidedAt(replica.differing().undecided().orElse(0));
        if (!stalled) {
            AppliedPosition end = replica.log().end();
            report.setAppliedTerm(replica.appliedPosition().term())
                    .setLastTerm(end.term())
                    .setLastIndex(Math.max(0, end.index()))
                    .setSyncedIndex(Math.max(0, replica.log().syncedIndex()));
        }
        if (replica.isLeading() || replica.leaderHint().isEmpty()) {
            report.setRange(DescriptorCodec.toProto(descriptor));
        }
        if (replica.damage().isPresent() && !replica.hasGroup()) {
            report.setState(ReplicaState.DAMAGED);
        } else if (replica.isJoining()) {
            report.setState(ReplicaState.JOINING);
        }
        for (FollowerState follower : replica.followers()) {
            report.addFollowers(
                    FollowerReport.newBuilder()
                            .setNodeId(follower.nodeId().value())
                            .setMatchIndex(Math.max(0, follower.matchIndex()))
                            .setRegressedFrom(follower.regressedFrom().orElse(0))
                            .setDiffersAt(follower.differsAt().orElse(0))
                            .setSilentMillis(
                                    (int)
                                            Math.min(
                                                    Integer.MAX_VALUE,
                                                    follower.silent().toMillis())));
        }
        return report;
    }
}
