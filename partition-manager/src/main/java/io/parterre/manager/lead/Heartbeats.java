package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.progress.StoreRebuildGate;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.request.PermitAnswer;
import io.parterre.manager.plan.request.StopIntent;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes reports of nodes while this manager leads. Refuses nodes that do not belong to the cluster,
 * registers the others, and answers with orders. Confined to the loop's thread.
 */
final class Heartbeats {
    private static final Logger LOG = LoggerFactory.getLogger(Heartbeats.class);

    private final MapGroup group;
    private final int ordersMax;
    private final LeaderKnowledge knowledge;
    private final PolicyKeeper policy;
    private final Placement placement;
    private final Founder founder;
    private final RangeFollower follower;
    private final WatchHub hub;
    private final StopPermits permits;
    private final DamageLog damages = new DamageLog();
    private final Supplier<ClusterView> view;
    private final Function<MapCommand, CompletableFuture<MapOutcome>> propose;
    private final Loop loop;

    /**
     * Creates an instance without reports.
     *
     * @param ordersMax upper bound on the orders in one answer
     */
    Heartbeats(
            MapGroup group,
            int ordersMax,
            LeaderKnowledge knowledge,
            PolicyKeeper policy,
            Placement placement,
            Founder founder,
            RangeFollower follower,
            WatchHub hub,
            StopPermits permits,
            Supplier<ClusterView> view,
            Function<MapCommand, CompletableFuture<MapOutcome>> propose,
            Loop loop) {
        this.group = group;
        this.ordersMax = ordersMax;
        this.knowledge = knowledge;
        this.policy = policy;
        this.placement = placement;
        this.founder = founder;
        this.follower = follower;
        this.hub = hub;
        this.permits = permits;
        this.view = view;
        this.propose = propose;
        this.loop = loop;
    }

    /**
     * Returns why a process that reads these levels is refused; empty if it reads the cluster's
     * level.
     */
    Optional<Reason> unreadable(String who, FeatureLevels levels) {
        FeatureLevel level = group.map().featureLevel();
        return levels.reads(level)
                ? Optional.empty()
                : Optional.of(ReasonCode.RELEASE_TOO_OLD.of(who, levels, level));
    }

    /** Takes a report. Answers with orders for the node, or why the report is refused. */
    CompletableFuture<LeaderAnswer<HeartbeatResult>> heard(
            NodeReport report,
            Optional<FeatureLevels> told,
            NodeClock nodeClock,
            StopIntent intent,
            boolean sure) {
        ClusterMap map = group.map();
        FeatureLevels levels = told.orElse(FeatureLevels.UNTOLD);
        Optional<Reason> unreadable = unreadable("node " + report.node().nodeId(), levels);
        if (unreadable.isPresent()) {
            return CompletableFuture.completedFuture(
                    told.isPresent()
                            ? new LeaderAnswer.Given<>(
                                    HeartbeatResult.unreadable(map.featureLevel()))
                            : new LeaderAnswer.Refused<>(unreadable.get()));
        }
        if (report.clusterId().isPresent() && !report.clusterId().equals(map.clusterId())) {
            // Mixing two clusters' data would lose one of them.
            return CompletableFuture.completedFuture(
                    new LeaderAnswer.Refused<>(
                            ReasonCode.OTHER_CLUSTER.of(
                                    report.clusterId().get(),
                                    map.clusterId().map(ClusterId::value).orElse("none yet"))));
        }
        NodeId nodeId = report.node().nodeId();
        if (hasLeft(map, report)) {
            return refused(ReasonCode.NODE_LEFT.of(nodeId));
        }
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading() && map.ranges().find(replica.rangeId()).isPresent()) {
                knowledge.hints().leads(replica.rangeId(), nodeId);
                placement.wishes().leads(replica.rangeId(), nodeId);
            }
        }
        Optional<JournalEntry> disk =
                knowledge.heard(report, levels, nodeClock, map, policy.inForce(map));
        hub.advanceAll();
        CompletableFuture<?> known =
                disk.isEmpty()
                        ? registered(report, sure)
                        : propose.apply(new MapCommand.NoteDecisions(List.of(disk.get())))
                                .thenComposeAsync(noted -> registered(report, sure), loop);
        return known.thenComposeAsync(outcome -> founder.foundIfDue(knowledge.liveNodes()), loop)
                .thenComposeAsync(outcome -> permits.heard(nodeId, intent), loop)
                .thenApply(permit -> new LeaderAnswer.Given<>(result(report, permit, sure)));
    }

    /**
     * Returns whether the reporting node was removed. Its id may return, but only with an empty
     * data folder: a folder that belongs to the cluster is that of the removed node.
     */
    private static boolean hasLeft(ClusterMap map, NodeReport report) {
        return map.hasLeft(report.node())
                || report.clusterId().isPresent()
                        && map.node(report.node().nodeId())
                                .filter(node -> node.state() == NodeState.REMOVED)
                                .isPresent();
    }

    private static <T> CompletableFuture<LeaderAnswer<T>> refused(Reason reason) {
        return CompletableFuture.completedFuture(new LeaderAnswer.Refused<>(reason));
    }

    private CompletableFuture<?> registered(NodeReport report, boolean sure) {
        ClusterNode node = report.node();
        Optional<ClusterNode> known = group.map().node(node.nodeId());
        if (known.filter(before -> before.equals(node.withState(before.state()))).isPresent()) {
            // The proposal changes nothing, but confirms leadership: a majority accepts log entries
            // only from the current leader, which has applied all earlier entries by then.
            return sure
                    ? propose.apply(new MapCommand.RegisterNode(node))
                    : CompletableFuture.completedFuture(null);
        }
        LOG.info(
                "node registers nodeId={} serviceAddress={} raftAddress={} zone={} incarnation={}",
                node.nodeId(),
                node.serviceAddress(),
                node.raftAddress(),
                node.zone(),
                node.incarnation());
        return propose.apply(new MapCommand.RegisterNode(node));
    }

    private HeartbeatResult result(NodeReport report, PermitAnswer permit, boolean confirmed) {
        ClusterView view = this.view.get();
        for (Upkeep.News news : Upkeep.news(view, report)) {
            follower.follow(news, view.now());
            if (news.command().orElse(null) instanceof MapCommand.CompleteSplit completed) {
                placement.splitTookEffect(completed.split(), view.now());
            }
        }
        NodeId nodeId = report.node().nodeId();
        Optional<String> rebuildRefusal =
                view.damage(nodeId)
                        .flatMap(damage -> StoreRebuildGate.obstacle(view, nodeId))
                        .map(Reason::toString);
        damages.answered(nodeId, view.damage(nodeId), rebuildRefusal);
        return new HeartbeatResult(
                view.map().featureLevel(),
                view.map().clusterId(),
                placement.orders(view, nodeId, ordersMax),
                rebuildRefusal,
                view.map().managers().serviceAddresses(),
                report.replicas().stream()
                        .map(NodeReport.Replica::rangeId)
                        .filter(view.map()::isRetired)
                        .toList(),
                Regressions.withoutVote(view, report),
                knowledge.reports().clock(nodeId),
                permit,
                confirmed);
    }
}
