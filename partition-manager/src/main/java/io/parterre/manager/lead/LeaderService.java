package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.JournalEntry;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.membership.ManagerSteps;
import io.parterre.manager.plan.membership.ManagerSteps.Reply;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.plan.progress.StoreRebuildGate;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.request.Upgrade;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.Regressions;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers nodes and watchers while this manager leads, and sends them to the one that leads
 * otherwise. Its methods may be called from any thread and never block; all state belongs to the
 * loop.
 */
public final class LeaderService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderService.class);

    private final MapGroup group;
    private final GroupEvents events;
    private final LeaderConfig config;
    private final LeaderClock clock;
    private final PartitionManagerMetrics metrics;
    private final Loop loop;
    private final NodeReports reports = new NodeReports();
    private final LoadPeaks peaks = new LoadPeaks();
    private final LeaderHints hints = new LeaderHints();
    private final WatchHub hub;
    private final Placement placement;
    private final AccountKeeper accounts;
    private final Founder founder;
    private final RangeFollower follower;
    private final Operators operators;
    private final ManagerKeeper managers;
    private final DamageLog damages = new DamageLog();
    private final PolicyKeeper policy;
    private final Rehearsal rehearsal = new Rehearsal(System::nanoTime);
    private final NodeId self;
    private final Release release;
    private final Supplier<CompletableFuture<Map<NodeId, Release>>> otherManagers;

    private long leadEpoch;
    private Instant leadSince = Instant.EPOCH;
    private long lookedVersion = -1;

    /**
     * A leadership that begins once the group has this manager lead.
     *
     * @param release that this manager runs
     * @param otherManagers asks the other managers what they run
     */
    public LeaderService(
            MapGroup group,
            GroupEvents events,
            LeaderConfig config,
            NodeId self,
            Release release,
            Supplier<CompletableFuture<Map<NodeId, Release>>> otherManagers,
            LeaderClock clock,
            Supplier<ClusterId> newClusterId,
            PartitionManagerMetrics metrics) {
        this.group = group;
        this.self = self;
        this.release = release;
        this.otherManagers = otherManagers;
        this.events = events;
        this.config = config;
        this.clock = clock;
        this.metrics = metrics;
        this.loop = new Loop(config.callsMax());
        this.policy =
                new PolicyKeeper(
                        config.policy(),
                        "the configuration of manager " + self,
                        this::propose,
                        loop);
        this.hub =
                new WatchHub(
                        group::map,
                        () -> policy.inForce(group.map()).quotas(),
                        events.deltas(),
                        hints,
                        config.watchersMax(),
                        metrics,
                        clock);
        this.placement = new Placement(this::view, this::propose, loop, System::nanoTime, metrics);
        this.accounts = new AccountKeeper(group::map, config.accounts(), this::propose, loop);
        this.founder =
                new Founder(
                        group::map,
                        config.initialReplicas(),
                        () -> policy.inForce(group.map()).copysets(),
                        newClusterId,
                        () -> upgrade().thenApply(Upgrade::atFirst),
                        this::propose,
                        loop);
        this.follower = new RangeFollower(this::propose, loop);
        this.operators =
                new Operators(
                        group::map,
                        this::propose,
                        wish -> placement.wishes().add(wish.rangeId(), wish.to(), clock.instant()),
                        clock,
                        loop);
        this.managers = new ManagerKeeper(group, self, this::propose, clock, loop);
        events.attach(loop.coalesced(this::look));
        loop.every(config.tick(), this::tick);
    }

    /** Completes when this manager leads for the first time and has seen to its accounts. */
    public CompletableFuture<Void> ready() {
        return accounts.ready();
    }

    /**
     * Takes a node's report; answers with what the node has to do.
     *
     * @param levels that the node reads; empty: it tells none
     * @param nodeClock what its clock says
     * @param sure whether only a manager may answer that certainly leads: one that was deposed may
     *     not know it yet, and its map be of before
     */
    public CompletableFuture<LeaderAnswer<HeartbeatResult>> heartbeat(
            NodeReport report, Optional<FeatureLevels> levels, NodeClock nodeClock, boolean sure) {
        return this.<HeartbeatResult>call(() -> heard(report, levels, nodeClock, sure))
                .whenComplete(
                        (answer, failure) -> {
                            if (answer != null) {
                                metrics.heartbeat(answer);
                            }
                        });
    }

    /** Gives out numbers that nobody was given before. */
    public CompletableFuture<LeaderAnswer<MapOutcome.Leased>> leaseObjectIds(
            MapCommand.LeaseObjectIds command) {
        return call(
                () ->
                        propose(command)
                                .thenApply(MapOutcome.Leased.class::cast)
                                .thenApply(LeaderAnswer.Given::new));
    }

    /** Answers a question about the cluster; the question runs on the loop and must be brief. */
    public <T> CompletableFuture<LeaderAnswer<T>> inspect(
            Function<Overview, LeaderAnswer<T>> question) {
        return call(
                () ->
                        CompletableFuture.completedFuture(
                                question.apply(
                                        new Overview(
                                                view(),
                                                placement.plan(),
                                                group.leaderAddress().orElse(""),
                                                placement.drains(),
                                                placement.remarks(),
                                                managers.view()))));
    }

    /**
     * Does what an operator asks for, if it may be done.
     *
     * @param request judges it by the cluster as it is
     * @param dryRun only tell what would be done
     */
    public CompletableFuture<LeaderAnswer<Operated>> operate(
            Function<ClusterView, Verdict> request, boolean dryRun) {
        return call(() -> operators.carryOut(request.apply(view()), dryRun));
    }

    /**
     * Plays through what the planner would decide, and does nothing.
     *
     * @param settings of the policy that are to be tried
     * @param down nodes that are dead in it
     */
    public CompletableFuture<LeaderAnswer<Rehearsal.Rehearsed>> rehearse(
            Map<String, String> settings, Set<NodeId> down, int roundsMax) {
        return call(() -> rehearsal.play(view(), settings, down, roundsMax));
    }

    /**
     * Takes what another manager says of itself; answers what becomes of it.
     *
     * @param levels that it reads
     */
    public CompletableFuture<LeaderAnswer<Reply>> introduced(
            Introduced what, FeatureLevels levels) {
        return call(
                () ->
                        ManagerSteps.unreadable(what, levels, group.map().featureLevel())
                                .map(LeaderService::<Reply>given)
                                .orElseGet(() -> managers.introduced(what)));
    }

    private static <T> CompletableFuture<LeaderAnswer<T>> given(T value) {
        return CompletableFuture.completedFuture(new LeaderAnswer.Given<>(value));
    }

    /** Answers a question about the cluster's feature level; asks the other managers first. */
    public <T> CompletableFuture<LeaderAnswer<T>> inspectUpgrade(Function<Upgrade, T> question) {
        return call(
                () ->
                        upgrade()
                                .thenApplyAsync(
                                        upgrade ->
                                                leading()
                                                        ? new LeaderAnswer.Given<>(
                                                                question.apply(upgrade))
                                                        : new LeaderAnswer.NotLeading<>(
                                                                group.leaderAddress()),
                                        loop));
    }

    /**
     * Raises the cluster's feature level, if all read the next one.
     *
     * @param wanted empty: to the newest that this manager reads
     */
    public CompletableFuture<LeaderAnswer<Operated>> finalizeUpgrade(
            Optional<FeatureLevel> wanted, boolean dryRun) {
        return call(
                () ->
                        upgrade()
                                .thenComposeAsync(
                                        upgrade ->
                                                leading()
                                                        ? operators.carryOut(
                                                                upgrade.finalized(wanted), dryRun)
                                                        : this.<Operated>elsewhere(),
                                        loop));
    }

    private CompletableFuture<Upgrade> upgrade() {
        return otherManagers.get().thenApplyAsync(this::upgrade, loop);
    }

    private Upgrade upgrade(Map<NodeId, Release> others) {
        ClusterView view = view();
        List<Upgrade.Member> members = new ArrayList<>();
        for (NodeId manager : managers.view().map(ManagersView::all).orElse(Set.of(self))) {
            members.add(
                    new Upgrade.Member(
                            Upgrade.Role.MANAGER,
                            manager.value(),
                            manager.equals(self)
                                    ? Optional.of(release)
                                    : Optional.ofNullable(others.get(manager))));
        }
        for (ClusterNode node : view.map().nodes()) {
            if (!hasLeft(node)) {
                members.add(
                        new Upgrade.Member(
                                Upgrade.Role.SERVER,
                                node.nodeId().value(),
                                view.liveness(node.nodeId()) == Liveness.UP
                                        ? reports.release(node.nodeId())
                                        : Optional.empty()));
            }
        }
        hub.names()
                .forEach(
                        watcher ->
                                members.add(
                                        new Upgrade.Member(
                                                Upgrade.Role.FRONT_END,
                                                watcher.name(),
                                                Optional.of(watcher.release()))));
        return new Upgrade(view.map().featureLevel(), release.levels().newest(), members);
    }

    /**
     * Changes the set of managers, if that may be done.
     *
     * @param request judges it by the group as it is
     */
    public CompletableFuture<LeaderAnswer<Operated>> operateManagers(
            Function<ManagersView, Verdict> request, boolean dryRun) {
        return call(
                () ->
                        managers.view()
                                .map(view -> operators.carryOut(request.apply(view), dryRun))
                                .orElseGet(this::elsewhere));
    }

    /** Answers a question about the managers; the question runs on the loop and must be brief. */
    public <T> CompletableFuture<LeaderAnswer<T>> inspectManagers(
            BiFunction<ManagersView, ManagerInsight, T> question) {
        return call(
                () ->
                        managers.view()
                                .<LeaderAnswer<T>>map(
                                        view ->
                                                new LeaderAnswer.Given<>(
                                                        question.apply(
                                                                view,
                                                                new ManagerInsight(
                                                                        managers.step(),
                                                                        group.silences()))))
                                .map(CompletableFuture::completedFuture)
                                .orElseGet(this::elsewhere));
    }

    /** Those that watch the map. */
    public CompletableFuture<LeaderAnswer<Watchers>> watchers() {
        return call(
                () ->
                        CompletableFuture.completedFuture(
                                new LeaderAnswer.Given<>(
                                        new Watchers(
                                                hub.progress(),
                                                hub.silent(),
                                                group.map().version()))));
    }

    /**
     * A watcher says which version of the map it holds; answers with the version there is.
     *
     * @param instance of the watcher
     * @param clusterId whose map that is; empty: not known to it
     * @param leaving it ends, and is to be forgotten
     */
    public CompletableFuture<LeaderAnswer<Long>> confirmed(
            String instance, long version, String clusterId, boolean leaving) {
        return call(
                () -> {
                    ClusterMap map = group.map();
                    if (leaving) {
                        hub.left(instance);
                    } else {
                        String known = map.clusterId().map(ClusterId::value).orElse("");
                        hub.confirmed(instance, version, known.equals(clusterId));
                    }
                    return CompletableFuture.completedFuture(
                            new LeaderAnswer.Given<>(map.version()));
                });
    }

    /** Whether accounts are ruled by this manager's configuration. */
    public boolean accountsConfigured() {
        return !config.accounts().isEmpty();
    }

    /** Begins to bring the watcher the map and its changes. */
    public void watch(Watcher watcher) {
        signal(
                () -> {
                    Optional<Reason> unreadable =
                            unreadable(
                                    "front end " + watcher.name().name(),
                                    watcher.name().release().levels());
                    if (leading() && unreadable.isPresent()) {
                        watcher.refused(unreadable.get());
                    } else if (!leading() || !hub.add(watcher)) {
                        watcher.ended(leading() ? Optional.empty() : group.leaderAddress());
                    }
                    metrics.watchers(hub.size());
                });
    }

    public void unwatch(Watcher watcher) {
        signal(
                () -> {
                    hub.remove(watcher);
                    metrics.watchers(hub.size());
                });
    }

    /** The watcher takes updates again. */
    public void ready(Watcher watcher) {
        signal(() -> hub.advance(watcher));
    }

    private void signal(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("manager closed, watcher dropped");
        }
    }

    private boolean leading() {
        return GroupEvents.leads(leadEpoch);
    }

    /** Runs a call on the loop, if this manager leads. */
    private <T> CompletableFuture<LeaderAnswer<T>> call(
            Supplier<CompletableFuture<LeaderAnswer<T>>> body) {
        if (!loop.tryBeginCall()) {
            return CompletableFuture.completedFuture(new LeaderAnswer.Busy<>());
        }
        CompletableFuture<LeaderAnswer<T>> answer;
        try {
            answer =
                    CompletableFuture.supplyAsync(
                                    () -> leading() ? body.get() : this.<T>elsewhere(), loop)
                            .thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            answer = elsewhere();
        }
        return answer.exceptionally(failure -> new LeaderAnswer.InDoubt<>(reason(failure)))
                .whenComplete((given, failure) -> loop.callEnded());
    }

    private <T> CompletableFuture<LeaderAnswer<T>> elsewhere() {
        return CompletableFuture.completedFuture(
                new LeaderAnswer.NotLeading<>(group.leaderAddress()));
    }

    static String reason(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return root.toString();
    }

    /** Why whoever reads these levels takes no part; empty: it may. */
    private Optional<Reason> unreadable(String who, FeatureLevels levels) {
        FeatureLevel level = group.map().featureLevel();
        return levels.reads(level)
                ? Optional.empty()
                : Optional.of(ReasonCode.RELEASE_TOO_OLD.of(who, levels, level));
    }

    private CompletableFuture<LeaderAnswer<HeartbeatResult>> heard(
            NodeReport report, Optional<FeatureLevels> told, NodeClock nodeClock, boolean sure) {
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
        if (map.node(nodeId).filter(LeaderService::hasLeft).isPresent()) {
            return CompletableFuture.completedFuture(
                    new LeaderAnswer.Refused<>(ReasonCode.NODE_LEFT.of(nodeId)));
        }
        for (NodeReport.Replica replica : report.replicas()) {
            if (replica.leading() && map.ranges().find(replica.rangeId()).isPresent()) {
                hints.leads(replica.rangeId(), nodeId);
                placement.wishes().leads(replica.rangeId(), nodeId);
            }
        }
        // Before it is registered: the map tells whether its data folder is another one.
        Optional<JournalEntry> disk =
                reports.heard(
                        report, clock.instant(), map, hints.leaders(), policy.inForce(map).disk());
        reports.reads(nodeId, levels);
        reports.clock(
                nodeId, nodeClock, clock.ahead(), clock.instant().minus(config.heartbeatTimeout()));
        peaks.heard(report, clock.instant());
        hub.advanceAll();
        CompletableFuture<?> known =
                disk.isEmpty()
                        ? registered(report, sure)
                        : propose(new MapCommand.NoteDecisions(List.of(disk.get())))
                                .thenComposeAsync(noted -> registered(report, sure), loop);
        return known.thenComposeAsync(outcome -> founder.foundIfDue(liveNodes()), loop)
                .thenApplyAsync(outcome -> new LeaderAnswer.Given<>(result(report, sure)), loop);
    }

    private static boolean hasLeft(ClusterNode node) {
        return node.state() == NodeState.REMOVED;
    }

    private CompletableFuture<?> registered(NodeReport report, boolean sure) {
        ClusterNode node = report.node();
        Optional<ClusterNode> known = group.map().node(node.nodeId());
        if (known.filter(before -> before.equals(node.withState(before.state()))).isPresent()) {
            // What a majority takes into its log it takes from its leader, and that has applied
            // all of before by then. Changes nothing.
            return sure
                    ? propose(new MapCommand.RegisterNode(node))
                    : CompletableFuture.completedFuture(null);
        }
        LOG.info(
                "node registers nodeId={} serviceAddress={} raftAddress={} zone={} incarnation={}",
                node.nodeId(),
                node.serviceAddress(),
                node.raftAddress(),
                node.zone(),
                node.incarnation());
        return propose(new MapCommand.RegisterNode(node));
    }

    private HeartbeatResult result(NodeReport report, boolean confirmed) {
        ClusterView view = view();
        for (Upkeep.News news : Upkeep.news(view, report)) {
            follower.follow(news, view.now());
            if (news.command().orElse(null) instanceof MapCommand.CutRange cut) {
                placement.cut(cut.split(), view.now());
            }
        }
        NodeId nodeId = report.node().nodeId();
        Optional<String> noLeave =
                view.damage(nodeId)
                        .flatMap(damage -> StoreRebuildGate.obstacle(view, nodeId))
                        .map(Reason::toString);
        damages.answered(nodeId, view.damage(nodeId), noLeave);
        return new HeartbeatResult(
                view.map().featureLevel(),
                view.map().clusterId(),
                placement.orders(view, nodeId, config.ordersMax()),
                noLeave,
                view.map().managers().serviceAddresses(),
                report.replicas().stream()
                        .map(NodeReport.Replica::rangeId)
                        .filter(view.map()::isRetired)
                        .toList(),
                Regressions.withoutVote(view, report),
                reports.clock(nodeId),
                confirmed);
    }

    private ClusterView view() {
        ClusterMap map = group.map();
        return new ClusterView(
                map,
                reports.byNode(),
                hints.leaders(),
                leadSince,
                clock.instant(),
                policy.inForce(map),
                peaks.byRange());
    }

    private List<NodeId> liveNodes() {
        return reports.heardSince(clock.instant().minus(config.heartbeatTimeout()));
    }

    private CompletableFuture<MapOutcome> propose(MapCommand command) {
        var since = metrics.start();
        return group.propose(command)
                .whenComplete(
                        (outcome, failure) -> {
                            metrics.proposed(since, command, failure == null);
                            if (outcome instanceof MapOutcome.Done) {
                                metrics.countMerge(command);
                            }
                        });
    }

    /** Catches up with what the group told: who leads, and what changed. */
    private void look() {
        long epoch = events.leadEpoch();
        if (epoch != leadEpoch) {
            // Even if it leads again: what it knew may be from before another leader.
            reports.clear();
            peaks.clear();
            hints.clear();
            placement.clear();
            managers.clear();
            clock.restart();
            leadSince = clock.instant();
            hub.end(group.leaderAddress());
            leadEpoch = epoch;
            metrics.leading(leading());
            ClusterMap map = group.map();
            LOG.info(
                    "leadership changed leading={} mapVersion={} ranges={} nodes={} accounts={}",
                    leading(),
                    map.version(),
                    map.ranges().size(),
                    map.nodes().size(),
                    map.accounts().size());
            if (leading()) {
                policy.begins(map);
            }
            tick();
        }
        hints.follow(group.map(), events.deltas());
        hub.advanceAll();
        metrics.watchers(hub.size());
        if (leading() && lookedVersion != group.map().version()) {
            lookedVersion = group.map().version();
            placement.news();
        }
    }

    private void tick() {
        if (!leading()) {
            return;
        }
        List<NodeId> live = liveNodes();
        metrics.liveNodes(live.size());
        peaks.tidy(clock.instant());
        accounts.look();
        policy.look(view());
        managers.look();
        placement.round();
        founder.foundIfDue(live)
                .exceptionally(
                        failure -> {
                            LOG.warn("founding in doubt, tried again reason={}", reason(failure));
                            return null;
                        });
    }

    @Override
    public void close() {
        signal(() -> hub.end(Optional.empty()));
        rehearsal.close();
        loop.close();
    }
}
