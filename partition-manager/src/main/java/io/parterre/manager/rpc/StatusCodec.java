package io.parterre.manager.rpc;

import io.parterre.manager.lead.Overview;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.plan.ClusterHealth;
import io.parterre.manager.plan.ClusterView;
import io.parterre.manager.plan.Explanation;
import io.parterre.manager.plan.Health;
import io.parterre.manager.plan.NodeReport;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.ExplainRangeResponse;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.manager.Account;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** What operators are told of the cluster. Stateless; called on the loop's thread. */
final class StatusCodec {
    private StatusCodec() {}

    static ClusterStatus cluster(Overview overview) {
        ClusterView view = overview.view();
        ClusterHealth health = ClusterHealth.of(view);
        return ClusterStatus.newBuilder()
                .setClusterId(view.map().clusterId().map(ClusterId::value).orElse(""))
                .setLeader(overview.leaderAddress())
                .setMapVersion(view.map().version())
                .setNodesUp(health.nodes(io.parterre.manager.plan.Liveness.UP))
                .setNodesSuspect(health.nodes(io.parterre.manager.plan.Liveness.SUSPECT))
                .setNodesDead(health.nodes(io.parterre.manager.plan.Liveness.DEAD))
                .setRanges(health.ranges())
                .setRangesWithoutLeader(health.withoutLeader())
                .setRangesUnderReplicated(health.underReplicated())
                .setMovesInProgress(view.map().moves().size())
                .setAccounts(overview.accounts().size())
                .build();
    }

    static ListNodesResponse nodes(Overview overview) {
        ClusterView view = overview.view();
        Map<NodeId, Integer> leads = new HashMap<>();
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            view.leader(range.rangeId()).ifPresent(leader -> leads.merge(leader, 1, Integer::sum));
        }
        ListNodesResponse.Builder nodes = ListNodesResponse.newBuilder();
        for (ClusterNode node : view.map().nodes()) {
            nodes.addNodes(node(overview, node, leads.getOrDefault(node.nodeId(), 0)));
        }
        return nodes.build();
    }

    private static NodeStatus node(Overview overview, ClusterNode node, int leads) {
        ClusterView view = overview.view();
        NodeId nodeId = node.nodeId();
        int replicas = view.map().ranges().onNode(nodeId).size();
        NodeStatus.Builder status =
                NodeStatus.newBuilder()
                        .setNode(MapValueCodec.toProto(node))
                        .setLiveness(liveness(view.liveness(nodeId)))
                        .setSilentMillis(millis(view.silentSince(nodeId), view.now()))
                        .setReplicas(replicas)
                        .setLeads(leads)
                        .setDiskStalled(view.isDiskStalled(nodeId));
        if (node.state().givesReplicas()) {
            status.setReplicasToGo(replicas)
                    .setSecondsToGo(
                            (int)
                                    Math.min(
                                            Integer.MAX_VALUE,
                                            overview.secondsToGo(nodeId).orElse(0)));
        }
        return status.build();
    }

    private static int millis(Instant since, Instant now) {
        return (int)
                Math.max(0, Math.min(Integer.MAX_VALUE, Duration.between(since, now).toMillis()));
    }

    private static Liveness liveness(io.parterre.manager.plan.Liveness liveness) {
        return switch (liveness) {
            case UP -> Liveness.UP;
            case SUSPECT -> Liveness.SUSPECT;
            case DEAD -> Liveness.DEAD;
        };
    }

    static RangeStatus range(ClusterView view, RangeDescriptor range) {
        RangeStatus.Builder status =
                RangeStatus.newBuilder().setRange(DescriptorCodec.toProto(range));
        Optional<NodeId> leader = view.leader(range.rangeId());
        leader.ifPresent(node -> status.setLeader(node.value()));
        for (NodeId member : range.members()) {
            status.addMembers(member(view, range, leader, member));
        }
        view.map().move(range.rangeId()).ifPresent(move -> status.setMove(move(view, move)));
        return status.build();
    }

    private static MemberStatus member(
            ClusterView view, RangeDescriptor range, Optional<NodeId> leader, NodeId member) {
        MemberStatus.Builder status =
                MemberStatus.newBuilder()
                        .setNodeId(member.value())
                        .setLiveness(liveness(view.liveness(member)))
                        .setMissing(view.health(range.rangeId(), member) == Health.LOST);
        view.replica(member, range.rangeId())
                .ifPresent(
                        replica ->
                                status.setAppliedIndex(replica.appliedIndex())
                                        .setJoining(replica.joining()));
        leader.flatMap(node -> view.replica(node, range.rangeId())).stream()
                .flatMap(replica -> replica.followers().stream())
                .filter(follower -> follower.nodeId().equals(member))
                .mapToLong(NodeReport.Follower::matchIndex)
                .findFirst()
                .ifPresent(status::setMatchIndex);
        return status.build();
    }

    private static Move move(ClusterView view, io.parterre.manager.map.Move move) {
        return Move.newBuilder()
                .setAdd(move.add().map(NodeId::value).orElse(""))
                .setRemove(move.remove().map(NodeId::value).orElse(""))
                .setReason(move.reason().name())
                .setStep(Explanation.waitsFor(view, move))
                .setAgeSeconds(millis(move.begun(), view.now()) / 1_000)
                .build();
    }

    static ExplainRangeResponse explanation(Overview overview, RangeDescriptor range) {
        return ExplainRangeResponse.newBuilder()
                .setStatus(range(overview.view(), range))
                .addAllReasons(Explanation.of(overview.view(), overview.plan(), range))
                .build();
    }

    /** Without their keys. */
    static ListAccountsResponse accounts(Overview overview) {
        ListAccountsResponse.Builder accounts = ListAccountsResponse.newBuilder();
        for (ClusterAccount account : overview.accounts()) {
            Account whole = MapValueCodec.toProto(account);
            accounts.addAccounts(whole.toBuilder().clearKeys());
        }
        return accounts.build();
    }
}
