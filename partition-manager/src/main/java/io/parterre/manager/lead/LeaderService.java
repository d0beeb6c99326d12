package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
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
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.FeatureLevels;
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
 * the leading manager. What it does unasked is in {@link Leadership}. Thread-safe: methods never
 * block, and all state is confined to the loop's thread.
 */
public final class LeaderService implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LeaderService.class);

    private final Leadership leadership;
    private final MapGroup group;
    private final boolean accountsConfigured;
    private final PartitionManagerMetrics metrics;
    private final Loop loop;
    private final WatchHub hub;
    private final Heartbeats heartbeats;
    private final Operators operators;
    private final KeyKeeper keys;
    private final ManagerKeeper managers;
    private final Rehearsal rehearsal = new Rehearsal(System::nanoTime);

    /** Creates a service that answers once the group has elected this manager. */
    public LeaderService(
            Leadership leadership,
            MapGroup group,
            LeaderConfig config,
            PartitionManagerMetrics metrics) {
        this.leadership = leadership;
        this.group = group;
        this.accountsConfigured = !config.accounts().isEmpty();
        this.metrics = metrics;
        this.loop = leadership.loop();
        this.hub = leadership.hub();
        this.heartbeats = leadership.heartbeats();
        this.operators = leadership.operators();
        this.keys = leadership.keys();
        this.managers = leadership.managers();
    }

    /**
     * Completes once this manager has led for the first time and the map has the configured
     * accounts.
     */
    public CompletableFuture<Void> ready() {
        return leadership.accounts().ready();
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
                        leadership
                                .propose(command)
                                .thenApply(MapOutcome.Leased.class::cast)
                                .thenApply(LeaderAnswer.Given::new));
    }

    /** Answers a question about the cluster. The question runs on the loop and must be brief. */
    public <T> CompletableFuture<LeaderAnswer<T>> inspect(
            Function<Overview, LeaderAnswer<T>> question) {
        return call(() -> CompletableFuture.completedFuture(question.apply(leadership.overview())));
    }

    /**
     * Carries out an operator's request, unless its verdict forbids it.
     *
     * @param request returns the verdict for the current state of the cluster
     * @param dryRun if true, only returns what would be done
     */
    public CompletableFuture<LeaderAnswer<Operated>> operate(
            Function<ClusterView, Verdict> request, boolean dryRun) {
        return call(() -> operators.carryOut(request.apply(leadership.view()), dryRun));
    }

    /**
     * Simulates the planner's next rounds. Changes nothing.
     *
     * @param settings values of the policy to be tried
     * @param down nodes that the simulation takes for dead
     */
    public CompletableFuture<LeaderAnswer<Rehearsal.Rehearsed>> rehearse(
            Map<String, String> settings, Set<NodeId> down, int roundsMax) {
        return call(() -> rehearsal.play(leadership.view(), settings, down, roundsMax));
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

    private <T> CompletableFuture<LeaderAnswer<T>> surveyed(
            Function<Upgrade, CompletableFuture<LeaderAnswer<T>>> then) {
        return call(
                () ->
                        leadership
                                .upgrades()
                                .take()
                                .thenComposeAsync(
                                        upgrade ->
                                                leadership.leads()
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
        return accountsConfigured;
    }

    /** Begins to send the map and its changes to the watcher. */
    public void watch(Watcher watcher) {
        signal(
                () -> {
                    Optional<Reason> unreadable =
                            heartbeats.unreadable(
                                    "front end " + watcher.name().name(),
                                    watcher.name().release().levels());
                    if (leadership.leads() && unreadable.isPresent()) {
                        watcher.refused(unreadable.get());
                    } else if (!leadership.servesMap() || !hub.add(watcher)) {
                        watcher.ended(
                                leadership.leads() ? Optional.empty() : group.leaderAddress());
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
                    if (leadership.servesMap()) {
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
                                    () -> leadership.leads() ? body.get() : this.<T>elsewhere(),
                                    loop)
                            .thenCompose(Function.identity());
        } catch (RejectedExecutionException e) {
            answer = elsewhere();
        }
        return answer.exceptionally(failure -> new LeaderAnswer.InDoubt<>(Loop.reason(failure)))
                .whenComplete((given, failure) -> loop.callEnded());
    }

    private <T> CompletableFuture<LeaderAnswer<T>> elsewhere() {
        return CompletableFuture.completedFuture(
                new LeaderAnswer.NotLeading<>(group.leaderAddress()));
    }

    @Override
    public void close() {
        signal(() -> hub.end(Optional.empty()));
        rehearsal.close();
        loop.close();
    }
}
