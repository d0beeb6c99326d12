package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.membership.ManagerSteps;
import io.parterre.manager.plan.membership.ManagerSteps.Reply;
import io.parterre.manager.plan.membership.ManagersView;
import io.parterre.manager.plan.membership.ManagersView.Introduced;
import io.parterre.manager.plan.request.StopIntent;
import io.parterre.manager.plan.request.Upgrade;
import io.parterre.manager.plan.request.Verdict;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
import io.parterre.release.Release;
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
    private final PartitionManagerMetrics metrics;
    private final Loop loop;
    private final LeaderKnowledge knowledge;
    private final WatchHub hub;
    private final Placement placement;
    private final AccountKeeper accounts;
    private final KeyKeeper keys;
    private final UpgradeSurvey upgrades;
    private final Heartbeats heartbeats;
    private final Founder founder;
    private final Operators operators;
    private final ManagerKeeper managers;
    private final PolicyKeeper policy;
    private final Rehearsal rehearsal = new Rehearsal(System::nanoTime);

    private long leadEpoch;
    private long lookedVersion = -1;

    /**
     * A leadership that begins once the group has this manager lead.
     *
     * @param release that this manager runs
     * @param otherManagers asks the other managers what they run
     * @param keyRing encrypts and decrypts keys of accounts
     * @param otherKeys asks the other managers which of such keys they have
     */
    public LeaderService(
            MapGroup group,
            GroupEvents events,
            LeaderConfig config,
            NodeId self,
            Release release,
            Supplier<CompletableFuture<Map<NodeId, Release>>> otherManagers,
            KeyRing keyRing,
            Supplier<CompletableFuture<Map<NodeId, KeyHolding>>> otherKeys,
            LeaderClock clock,
            Supplier<ClusterId> newClusterId,
            PartitionManagerMetrics metrics) {
        this.group = group;
        this.events = events;
        this.config = config;
        this.metrics = metrics;
        this.loop = new Loop(config.callsMax());
        this.knowledge = new LeaderKnowledge(clock, config.heartbeatTimeout());
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
                        knowledge.hints(),
                        config.watchersMax(),
                        metrics,
                        clock);
        this.placement = new Placement(this::view, this::propose, loop, System::nanoTime, metrics);
        this.managers = new ManagerKeeper(group, self, this::propose, clock, loop);
        this.keys =
                new KeyKeeper(
                        keyRing,
                        group,
                        self,
                        otherKeys,
                        managers::view,
                        this::propose,
                        clock,
                        loop);
        this.accounts =
                new AccountKeeper(
                        group::map, config.accounts(), keys::decrypted, this::propose, loop);
        this.founder =
                new Founder(
                        group::map,
                        config.initialReplicas(),
                        () -> policy.inForce(group.map()).copysets(),
                        newClusterId,
                        this::firstLevel,
                        this::propose,
                        loop);
        this.operators =
                new Operators(
                        group::map,
                        this::propose,
                        wish -> placement.wishes().add(wish.rangeId(), wish.to(), clock.instant()),
                        clock,
                        loop);
        this.upgrades =
                new UpgradeSurvey(
                        self,
                        release,
                        otherManagers,
                        this::view,
                        managers::view,
                        knowledge.reports(),
                        hub,
                        loop);
        this.heartbeats =
                new Heartbeats(
                        group,
                        config.ordersMax(),
                        knowledge,
                        policy,
                        placement,
                        founder,
                        new RangeFollower(this::propose, loop),
                        hub,
                        new StopPermits(this::view, this::propose, metrics, loop),
                        this::view,
                        this::propose,
                        loop);
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
     * @param intent whether the node's process is about to stop
     * @param sure whether only a manager may answer that certainly leads: one that was deposed may
     *     not know it yet, and its map be of before
     */
    public CompletableFuture<LeaderAnswer<HeartbeatResult>> heartbeat(
            NodeReport report,
            Optional<FeatureLevels> levels,
            NodeClock nodeClock,
            StopIntent intent,
            boolean sure) {
        return this.<HeartbeatResult>call(
                        () -> heartbeats.heard(report, levels, nodeClock, intent, sure))
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
        return call(() -> CompletableFuture.completedFuture(question.apply(overview())));
    }

    private Overview overview() {
        return new Overview(
                view(),
                placement.plan(),
                group.leaderAddress().orElse(""),
                placement.drains(),
                placement.remarks(),
                managers.view());
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
        return surveyed(upgrade -> given(question.apply(upgrade)));
    }

    /**
     * Raises the cluster's feature level, if all read the next one.
     *
     * @param wanted empty: to the newest that this manager reads
     */
    public CompletableFuture<LeaderAnswer<Operated>> finalizeUpgrade(
            Optional<FeatureLevel> wanted, boolean dryRun) {
        return surveyed(upgrade -> operators.carryOut(upgrade.finalized(wanted), dryRun));
    }

    /** Of a cluster that is founded now. */
    private CompletableFuture<FeatureLevel> firstLevel() {
        return upgrades.take().thenApply(Upgrade::atFirst);
    }

    private <T> CompletableFuture<LeaderAnswer<T>> surveyed(
            Function<Upgrade, CompletableFuture<LeaderAnswer<T>>> then) {
        return call(
                () ->
                        upgrades.take()
                                .thenComposeAsync(
                                        upgrade ->
                                                leading()
                                                        ? then.apply(upgrade)
                                                        : this.<T>elsewhere(),
                                        loop));
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
                                .map(view -> given(question.apply(view, insight())))
                                .orElseGet(this::elsewhere));
    }

    private ManagerInsight insight() {
        return new ManagerInsight(managers.step(), group.silences());
    }

    /** Those that watch the map. */
    public CompletableFuture<LeaderAnswer<Watchers>> watchers() {
        return call(() -> given(new Watchers(hub.progress(), hub.silent(), group.map().version())));
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
                    return given(map.version());
                });
    }

    /** Why this manager cannot tell the keys of accounts; empty: it can. */
    public Optional<Reason> unreadable(ClusterMap map) {
        return keys.unreadable(map);
    }

    /** What its map holds that this manager cannot serve; empty: nothing. */
    public Optional<Reason> unreadable() {
        return unreadable(group.map());
    }

    /** How keys of accounts shall be kept; for the loop's thread, within {@link #inspect}. */
    public KeyStorage keyStorage() {
        return new KeyStorage(keys.preferred(), keys.hindrance());
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
                            heartbeats.unreadable(
                                    "front end " + watcher.name().name(),
                                    watcher.name().release().levels());
                    if (leading() && unreadable.isPresent()) {
                        watcher.refused(unreadable.get());
                    } else if (!servesMap() || !hub.add(watcher)) {
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
        signal(
                () -> {
                    if (servesMap()) {
                        hub.advance(watcher);
                    }
                });
    }

    private void signal(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("manager closed, watcher dropped");
        }
    }

    /** Front ends take accounts that a map lacks for gone, so they get none from who lacks keys. */
    private boolean servesMap() {
        return leading() && unreadable(group.map()).isEmpty();
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

    private ClusterView view() {
        ClusterMap map = group.map();
        return knowledge.view(map, policy.inForce(map));
    }

    private CompletableFuture<MapOutcome> propose(MapCommand command) {
        var since = metrics.start();
        return keys.guarded(command)
                .thenCompose(group::propose)
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
            knowledge.clear();
            placement.clear();
            managers.clear();
            keys.clear();
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
        knowledge.hints().follow(group.map(), events.deltas());
        if (!servesMap()) {
            hub.end(Optional.empty());
        }
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
        List<NodeId> live = knowledge.liveNodes();
        metrics.liveNodes(live.size());
        knowledge.tidy();
        unreadable(group.map()).ifPresentOrElse(accounts::unreadable, accounts::look);
        keys.look();
        policy.look(view());
        metrics.permitHeld(view().onLeave());
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
