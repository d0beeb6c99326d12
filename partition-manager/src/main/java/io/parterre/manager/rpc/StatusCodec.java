package io.parterre.manager.rpc;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.lead.DrainPace;
import io.parterre.manager.lead.KeyStorage;
import io.parterre.manager.lead.ManagerInsight;
import io.parterre.manager.lead.Overview;
import io.parterre.manager.lead.Watchers;
import io.parterre.manager.map.ClusterAccount;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.EncryptedKey;
import io.parterre.manager.map.MapValueCodec;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.RangeTable;
import io.parterre.manager.map.StoredKey;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.explain.JournalFilter;
import io.parterre.manager.plan.explain.NodeExplanation;
import io.parterre.manager.plan.membership.ManagerCondition;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.progress.StoreRebuildGate;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Leftover;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.ReasonText;
import io.parterre.proto.admin.ClusterStatus;
import io.parterre.proto.admin.DisruptionLease;
import io.parterre.proto.admin.ExplainNodeResponse;
import io.parterre.proto.admin.ExplainRangeResponse;
import io.parterre.proto.admin.FrontEndStatus;
import io.parterre.proto.admin.ListAccountsResponse;
import io.parterre.proto.admin.ListFrontEndsResponse;
import io.parterre.proto.admin.ListManagersResponse;
import io.parterre.proto.admin.ListNodesResponse;
import io.parterre.proto.admin.Liveness;
import io.parterre.proto.admin.ManagerState;
import io.parterre.proto.admin.ManagerStatus;
import io.parterre.proto.admin.MemberStatus;
import io.parterre.proto.admin.Merge;
import io.parterre.proto.admin.Move;
import io.parterre.proto.admin.NodeStatus;
import io.parterre.proto.admin.RangeLoad;
import io.parterre.proto.admin.RangeStatus;
import io.parterre.proto.admin.Split;
import io.parterre.proto.journal.JournalEntry;
import io.parterre.proto.manager.Account;
import io.parterre.range.DescriptorCodec;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Converts the state of the cluster to messages for operators. Stateless; called on the loop's
 * thread.
 */
final class StatusCodec {
    /** Upper bound of journal entries about one range or node. */
    private static final int EXPLAINED_MAX = 30;

    private StatusCodec() {}

    static ClusterStatus cluster(Overview overview) {
        ClusterView view = overview.view();
        ClusterHealth health = ClusterHealth.of(view);
        ClusterStatus.Builder status =
                ClusterStatus.newBuilder()
                        .setClusterId(view.map().clusterId().map(ClusterId::value).orElse(""))
                        .setLeader(overview.leaderAddress())
                        .setMapVersion(view.map().version())
                        .setNodesUp(health.nodes(io.parterre.manager.plan.view.Liveness.UP))
                        .setNodesSuspect(
                                health.nodes(io.parterre.manager.plan.view.Liveness.SUSPECT))
                        .setNodesDead(health.nodes(io.parterre.manager.plan.view.Liveness.DEAD))
                        .setRanges(health.ranges())
                        .setRangesWithoutLeader(health.withoutLeader())
                        .setRangesUnderReplicated(health.underReplicated())
                        .setMovesInProgress(view.map().moves().size())
                        .setSplitsInProgress(view.map().splits().size())
                        .setMergesInProgress(view.map().merges().size())
                        .setAccounts(overview.accounts().size())
                        .setClockMillis(view.now().toEpochMilli());
        for (ClusterNode node : view.map().nodes()) {
            int held = view.map().ranges().onNode(node.nodeId()).size();
            if (node.state().givesReplicas() && held > 0) {
                status.setNodesDraining(status.getNodesDraining() + 1)
                        .setReplicasToGo(status.getReplicasToGo() + held);
            }
        }
        overview.managers()
                .ifPresent(
                        managers -> {
                            managers.silent()
                                    .forEach(each -> status.addManagersSilent(each.value()));
                            status.setManagersUp(
                                    managers.all().size() - status.getManagersSilentCount());
                        });
        lease(view).ifPresent(status::setDisruptionLease);
        return status.build();
    }

    /** Returns the disruption permit that is valid now; empty if there is none. */
    private static Optional<DisruptionLease> lease(ClusterView view) {
        return view.map()
                .disruptionLease()
                .filter(lease -> lease.holdsAt(view.now()))
                .map(lease -> lease(view, lease).build());
    }

    static DisruptionLease.Builder lease(
            ClusterView view, io.parterre.manager.map.DisruptionLease lease) {
        return DisruptionLease.newBuilder()
                .setNodeId(lease.nodeId().value())
                .setSecondsLeft(millis(view.now(), lease.until()) / 1_000)
                .setReason(lease.reason());
    }

    /**
     * Returns the nodes.
     *
     * @param removed whether removed nodes are included
     */
    static ListNodesResponse nodes(Overview overview, boolean removed) {
        ClusterView view = overview.view();
        Map<NodeId, Integer> leads = new HashMap<>();
        for (RangeDescriptor range : view.map().ranges().inKeyOrder()) {
            view.leader(range.rangeId()).ifPresent(leader -> leads.merge(leader, 1, Integer::sum));
        }
        ListNodesResponse.Builder nodes = ListNodesResponse.newBuilder();
        for (ClusterNode node : view.map().nodes()) {
            if (removed || node.state() != NodeState.REMOVED) {
                nodes.addNodes(node(overview, node, leads.getOrDefault(node.nodeId(), 0)));
            }
        }
        return nodes.build();
    }

    /** Returns one node; empty if there is none with this id. */
    static ListNodesResponse node(Overview overview, NodeId nodeId) {
        ClusterView view = overview.view();
        int leads = 0;
        for (RangeId rangeId : view.map().ranges().onNode(nodeId)) {
            if (view.leader(rangeId).filter(nodeId::equals).isPresent()) {
                leads++;
            }
        }
        ListNodesResponse.Builder nodes = ListNodesResponse.newBuilder();
        Optional<ClusterNode> node = view.map().node(nodeId);
        if (node.isPresent()) {
            nodes.addNodes(node(overview, node.get(), leads));
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
                        .setReplicas(replicas)
                        .setLeads(leads)
                        .setDamage(damage(view, nodeId))
                        .setDiskStalled(view.isDiskStalled(nodeId))
                        .setClockAheadMillis(view.clockAhead(nodeId).toMillis());
        DiskSpace space = view.report(nodeId).map(NodeReport::diskSpace).orElse(DiskSpace.UNKNOWN);
        status.setDiskUsableBytes(space.usableBytes())
                .setDiskTotalBytes(space.totalBytes())
                .setDiskUsedPercent(space.usedPercentUp());
        if (node.state() != NodeState.REMOVED) {
            // No report is expected from a removed node.
            status.setLiveness(liveness(view.liveness(nodeId)))
                    .setSilentMillis(millis(view.silentSince(nodeId), view.now()));
        }
        if (node.state().givesReplicas()) {
            Leftover left = Leftover.of(view, nodeId);
            status.setReplicasToGo(left.replicas()).setBytesToGo(left.bytes());
            overview.pace(nodeId, left).ifPresent(pace -> setPace(status, pace));
        }
        status.setReplicasBehind(behind(view, nodeId))
                .setMergesInProgress(merges(view, nodeId))
                .setReplacedBy(view.map().replacement(nodeId).map(NodeId::value).orElse(""));
        return status.build();
    }

    private static String damage(ClusterView view, NodeId nodeId) {
        return view.damage(nodeId)
                .map(
                        what ->
                                what
                                        + "; "
                                        + StoreRebuildGate.obstacle(view, nodeId)
                                                .map(
                                                        why ->
                                                                "no permission to rebuild its"
                                                                        + " store: "
                                                                        + why)
                                                .orElse("it may rebuild its store"))
                .orElse("");
    }

    private static void setPace(NodeStatus.Builder status, DrainPace pace) {
        status.setSecondsToGo((int) Math.min(Integer.MAX_VALUE, pace.secondsToGo()))
                .setBytesPerSecond(pace.bytesPerSecond());
    }

    private static int merges(ClusterView view, NodeId nodeId) {
        RangeTable ranges = view.map().ranges();
        return (int)
                view.map().merges().stream()
                        .filter(
                                merge ->
                                        ranges.isMember(merge.leftId(), nodeId)
                                                || ranges.isMember(merge.rightId(), nodeId))
                        .count();
    }

    private static int behind(ClusterView view, NodeId nodeId) {
        int behind = 0;
        for (RangeId rangeId : view.map().ranges().onNode(nodeId)) {
            if (!view.keepsUp(rangeId, nodeId)) {
                behind++;
            }
        }
        return behind;
    }

    static int millis(Instant since, Instant now) {
        return (int)
                Math.max(0, Math.min(Integer.MAX_VALUE, Duration.between(since, now).toMillis()));
    }

    static Liveness liveness(io.parterre.manager.plan.view.Liveness liveness) {
        return switch (liveness) {
            case UP -> Liveness.UP;
            case SUSPECT -> Liveness.SUSPECT;
            case DEAD -> Liveness.DEAD;
        };
    }

    static RangeStatus range(ClusterView view, RangeDescriptor range) {
        RangeStatus.Builder status =
                RangeStatus.newBuilder()
                        .setRange(DescriptorCodec.toProto(range))
                        .setBytes(view.sizeBytes(range));
        view.leading(range.rangeId())
                .flatMap(NodeReport.Replica::load)
                .map(StatusCodec::load)
                .ifPresent(status::setLoad);
        Optional<NodeId> leader = view.leader(range.rangeId());
        leader.ifPresent(node -> status.setLeader(node.value()));
        for (NodeId member : range.members()) {
            status.addMembers(member(view, range, leader, member));
        }
        view.map().move(range.rangeId()).ifPresent(move -> status.setMove(move(view, move)));
        view.map().split(range.rangeId()).ifPresent(split -> status.setSplit(split(view, split)));
        view.map().merge(range.rangeId()).ifPresent(merge -> status.setMerge(merge(view, merge)));
        return status.build();
    }

    private static RangeLoad load(io.parterre.manager.plan.view.RangeLoad load) {
        return RangeLoad.newBuilder()
                .setReadsPerSecond(load.readsPerSecond())
                .setWritesPerSecond(load.writesPerSecond())
                .setRefusedPerSecond(load.refusedPerSecond())
                .setCpuPermille(load.cpuPermille())
                .build();
    }

    private static MemberStatus member(
            ClusterView view, RangeDescriptor range, Optional<NodeId> leader, NodeId member) {
        MemberStatus.Builder status =
                MemberStatus.newBuilder()
                        .setNodeId(member.value())
                        .setLiveness(liveness(view.liveness(member)))
                        .setMissing(view.health(range.rangeId(), member) == Health.LOST)
                        .setDamage(view.damage(member, range.rangeId()).orElse(""));
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

    private static Split split(ClusterView view, io.parterre.manager.map.Split split) {
        return Split.newBuilder()
                .setChildRangeId(split.childId().value())
                .addAllFurtherChildRangeIds(
                        split.childIds().stream().skip(1).map(RangeId::value).toList())
                .setReason(split.reason().name())
                .setStep(Explanation.waitsFor(view, split))
                .setAgeSeconds(millis(split.begun(), view.now()) / 1_000)
                .build();
    }

    private static Merge merge(ClusterView view, io.parterre.manager.map.Merge merge) {
        return Merge.newBuilder()
                .setLeftRangeId(merge.leftId().value())
                .setRightRangeId(merge.rightId().value())
                .setReason(merge.reason().name())
                .setStep(Explanation.waitsFor(view, merge))
                .setAgeSeconds(millis(merge.begun(), view.now()) / 1_000)
                .build();
    }

    static ExplainRangeResponse explanation(Overview overview, RangeDescriptor range) {
        return ExplainRangeResponse.newBuilder()
                .setStatus(range(overview.view(), range))
                .addAllReasons(Explanation.of(overview.view(), overview.plan(), range))
                .addAllJournal(journal(overview, JournalFilter.of(range.rangeId())))
                .build();
    }

    static ExplainNodeResponse explanation(Overview overview, ClusterNode node) {
        return ExplainNodeResponse.newBuilder()
                .setStatus(node(overview, node.nodeId()).getNodes(0))
                .addAllReasons(NodeExplanation.of(overview.view(), overview.plan(), node))
                .addAllJournal(journal(overview, JournalFilter.of(node.nodeId(), overview.view())))
                .build();
    }

    private static List<JournalEntry> journal(Overview overview, JournalFilter filter) {
        return PlanCodec.journal(overview.journal(filter, EXPLAINED_MAX)).getEntriesList();
    }

    /**
     * Returns the accounts without their keys.
     *
     * @param wanted how their keys are to be stored
     */
    static ListAccountsResponse accounts(Overview overview, KeyStorage wanted) {
        ListAccountsResponse.Builder accounts =
                ListAccountsResponse.newBuilder()
                        .setEncryptionKeyId(wanted.keyId().orElse(""))
                        .setEncryptionHindrance(wanted.hindrance().map(ReasonText::of).orElse(""));
        for (ClusterAccount account : overview.accounts()) {
            Account whole = MapValueCodec.toProto(account);
            accounts.addAccounts(whole.toBuilder().clearKeys().clearStoredKeys());
            accounts.addKeyStorage(
                    io.parterre.proto.admin.KeyStorage.newBuilder()
                            .addAllEncryptionKeyIds(
                                    account.keys().stream().map(StatusCodec::keyId).toList()));
        }
        return accounts.build();
    }

    private static String keyId(StoredKey key) {
        return key instanceof EncryptedKey encrypted ? encrypted.keyId() : "";
    }

    /** Returns all managers that are members or wanted. */
    static ListManagersResponse managers(ManagersView view, ManagerInsight insight) {
        Map<NodeId, ClusterManager> all = new TreeMap<>();
        view.members().forEach(member -> all.put(member.nodeId(), member));
        view.wanted().all().forEach(wanted -> all.put(wanted.nodeId(), wanted));
        ListManagersResponse.Builder managers = ListManagersResponse.newBuilder();
        for (ClusterManager manager : all.values()) {
            managers.addManagers(
                    ManagerStatus.newBuilder()
                            .setManager(MapValueCodec.toProto(manager))
                            .setState(state(ManagerCondition.of(view, manager.nodeId())))
                            .setLeading(manager.nodeId().equals(view.self()))
                            .setSilentMillis(
                                    (int)
                                            Math.min(
                                                    Integer.MAX_VALUE,
                                                    insight.silences()
                                                            .getOrDefault(
                                                                    manager.nodeId(), Duration.ZERO)
                                                            .toMillis())));
        }
        return managers.setStep(insight.step().orElse("")).build();
    }

    private static ManagerState state(ManagerCondition condition) {
        return switch (condition) {
            case IN_GROUP -> ManagerState.IN_GROUP;
            case EXPECTED -> ManagerState.EXPECTED;
            case ENTERING -> ManagerState.ENTERING;
            case LEAVING -> ManagerState.LEAVING;
            case FORGETFUL -> ManagerState.FORGETFUL;
        };
    }

    static ListFrontEndsResponse frontEnds(Watchers watchers) {
        ListFrontEndsResponse.Builder frontEnds =
                ListFrontEndsResponse.newBuilder().setMapVersion(watchers.mapVersion());
        for (Watchers.Progress each : watchers.all()) {
            frontEnds.addFrontEnds(
                    FrontEndStatus.newBuilder()
                            .setName(each.name().name())
                            .setAddress(each.name().address())
                            .setRelease(each.name().release().name())
                            .setMapVersion(each.sentVersion())
                            .setConfirmedVersion(each.confirmedVersion())
                            .setWatchingSeconds((int) each.watching().toSeconds()));
        }
        for (Watchers.Silent each : watchers.silent()) {
            frontEnds.addSilent(
                    FrontEndStatus.newBuilder()
                            .setName(each.name().name())
                            .setAddress(each.name().address())
                            .setRelease(each.name().release().name())
                            .setConfirmedVersion(each.confirmedVersion())
                            .setSilentSeconds((int) each.silence().toSeconds()));
        }
        return frontEnds.build();
    }
}
