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
 * Answers nodes, watchers and operators while this manager leads, and otherwise redirects them to
 * the leading manager. Thread-safe: methods never block, and all state is confined to the loop's
 * thread.
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
     * Creates a service that answers once the group has elected this manager.
     *
     * @param release that this manager runs
     * @param otherManagers asks the other managers which release they run
     * @param keyRing encrypts and decrypts keys of accounts
     * @param otherKeys asks the other managers which encryption keys they have
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

    /**
     * Completes once this manager has led for the first time and the map has the configured
     * accounts.
     */
    public CompletableFuture<Void> ready() {
        return accounts.ready();
    }

    /**
     * Takes a node's report and returns orders for the node.
     *
     * @param levels that the node reads; empty if it does not report them
     * @param nodeClock what the node's clock says
     * @param intent whether the node's process is about to stop
     * @param sure if true, only a manager whose leadership is confirmed answers. A deposed manager
     *     may not know of its deposition and may hold an older map.
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

    /** Leases ids that were never leased before. */
    public CompletableFuture<LeaderAnswer<MapOutcome.Leased>> leaseObjectIds(
            MapCommand.LeaseObjectIds command) {
        return call(
                () ->
                        propose(command)
                                .thenApply(MapOutcome.Leased.class::cast)
                                .thenApply(LeaderAnswer.Given::new));
    }

    /** Answers a question about the cluster. The question runs on the loop and must be brief. */
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
     * Carries out an operator's request, unless its verdict forbids it.
     *
     * @param request returns the verdict for the current state of the cluster
     * @param dryRun if true, only returns what would be done
     */
    public CompletableFuture<LeaderAnswer<Operated>> operate(
            Function<ClusterView, Verdict> request, boolean dryRun) {
        return call(() -> operators.carryOut(request.apply(view()), dryRun));
    }

    /**
     * Simulates the planner's next rounds. Changes nothing.
     *
     * @param settings values of the policy to be tried
     * @param down nodes that the simulation takes for dead
     */
    public CompletableFuture<LeaderAnswer<Rehearsal.Rehearsed>> rehearse(
            Map<String, String> settings, Set<NodeId> down, int roundsMax) {
        return call(() -> rehearsal.play(view(), settings, down, roundsMax));
    }

    /**
     * Takes what another manager says of itself and answers whether it may join.
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

    /**
     * Answers a question about the cluster's feature level, after a survey of the other managers.
     */
    public <T> CompletableFuture<LeaderAnswer<T>> inspectUpgrade(Function<Upgrade, T> question) {
        return surveyed(upgrade -> given(question.apply(upgrade)));
    }

    /**
     * Raises the cluster's feature level, if all processes read the next one.
     *
     * @param wanted level to reach; empty for the newest that this manager reads
     */
    public CompletableFuture<LeaderAnswer<Operated>> finalizeUpgrade(
            Optional<FeatureLevel> wanted, boolean dryRun) {
        return surveyed(upgrade -> operators.carryOut(upgrade.finalized(wanted), dryRun));
    }

    /** Returns the feature level of a new cluster at its bootstrap. */
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
     * Changes the set of managers, unless the verdict forbids it.
     *
     * @param request returns the verdict for the current state of the group
     */
    public CompletableFuture<LeaderAnswer<Operated>> operateManagers(
            Function<ManagersView, Verdict> request, boolean dryRun) {
        return call(
                () ->
                        managers.view()
                                .map(view -> operators.carryOut(request.apply(view), dryRun))
                                .orElseGet(this::elsewhere));
    }

    /** Answers a question about the managers. The question runs on the loop and must be brief. */
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

    /** Returns the watchers of the map. */
    public CompletableFuture<LeaderAnswer<Watchers>> watchers() {
        return call(() -> given(new Watchers(hub.progress(), hub.silent(), group.map().version())));
    }

    /**
     * Takes a watcher's confirmation of the map version that it holds. Returns the current version.
     *
     * @param instance of the watcher
     * @param clusterId cluster of that map; empty if not known to the watcher
     * @param leaving if true, the watcher ends and is forgotten
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

    /** Returns the reason why this manager cannot decrypt the accounts' keys; empty if it can. */
    public Optional<Reason> unreadable(ClusterMap map) {
        return keys.unreadable(map);
    }

    /**
     * Returns the reason why this manager cannot decrypt the keys of its map's accounts; empty if
     * it can.
     */
    public Optional<Reason> unreadable() {
        return unreadable(group.map());
    }

    /**
     * Returns how the accounts' keys are to be stored. Only on the loop's thread, within {@link
     * #inspect}.
     */
    public KeyStorage keyStorage() {
        return new KeyStorage(keys.preferred(), keys.hindrance());
    }

    /** Returns whether this manager's configuration holds the accounts. */
    public boolean accountsConfigured() {
        return !config.accounts().isEmpty();
    }

    /** Begins to send the map and its changes to the watcher. */
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

    /**
     * A front end treats accounts that a map lacks as deleted, so a manager that cannot decrypt
     * keys sends it no map.
     */
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

    /** Catches up with the group's events: changes of leadership and of the map. */
    private void look() {
        long epoch = events.leadEpoch();
        if (epoch != leadEpoch) {
            // Even if this manager leads again, because another one may have led meanwhile.
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
        metrics.permitHeld(view().permitHolder());
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
