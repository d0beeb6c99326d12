package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MapOutcome;
import io.parterre.manager.plan.membership.KeyHolding;
import io.parterre.manager.plan.request.Upgrade;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.raft.MapGroup;
import io.parterre.manager.secret.KeyRing;
import io.parterre.range.NodeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.Release;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the group's events and does the periodic work of a manager while it leads. Holds the
 * parts by which {@link LeaderService} answers. Confined to the loop's thread, except for what only
 * returns a part.
 */
public final class Leadership {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final MapGroup group;
    private final GroupEvents events;
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

    private long leadEpoch;
    private long lookedVersion = -1;

    /**
     * Creates the parts and follows the group's events from now on.
     *
     * @param release that this manager runs
     * @param otherManagers asks the other managers which release they run
     * @param keyRing encrypts and decrypts keys of accounts
     * @param otherKeys asks the other managers which encryption keys they have
     */
    public Leadership(
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

    /** Returns the feature level of a new cluster at its bootstrap. */
    private CompletableFuture<FeatureLevel> firstLevel() {
        return upgrades.take().thenApply(Upgrade::atFirst);
    }

    /**
     * A front end treats accounts that a map lacks as deleted, so a manager that cannot decrypt
     * keys sends it no map.
     */
    boolean servesMap() {
        return leads() && keys.unreadable(group.map()).isEmpty();
    }

    boolean leads() {
        return GroupEvents.leads(leadEpoch);
    }

    ClusterView view() {
        ClusterMap map = group.map();
        return knowledge.view(map, policy.inForce(map));
    }

    Overview overview() {
        return new Overview(
                view(),
                placement.plan(),
                group.leaderAddress().orElse(""),
                placement.drains(),
                placement.remarks(),
                managers.view());
    }

    CompletableFuture<MapOutcome> propose(MapCommand command) {
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
            metrics.leading(leads());
            ClusterMap map = group.map();
            LOG.info(
                    "leadership changed leading={} mapVersion={} ranges={} nodes={} accounts={}",
                    leads(),
                    map.version(),
                    map.ranges().size(),
                    map.nodes().size(),
                    map.accounts().size());
            if (leads()) {
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
        if (leads() && lookedVersion != group.map().version()) {
            lookedVersion = group.map().version();
            placement.news();
        }
    }

    private void tick() {
        if (!leads()) {
            return;
        }
        List<NodeId> live = knowledge.liveNodes();
        metrics.liveNodes(live.size());
        knowledge.tidy();
        keys.unreadable(group.map()).ifPresentOrElse(accounts::unreadable, accounts::look);
        keys.look();
        policy.look(view());
        metrics.permitHeld(view().permitHolder());
        managers.look();
        placement.round();
        founder.foundIfDue(live)
                .exceptionally(
                        failure -> {
                            LOG.warn(
                                    "founding in doubt, tried again reason={}",
                                    Loop.reason(failure));
                            return null;
                        });
    }

    Loop loop() {
        return loop;
    }

    WatchHub hub() {
        return hub;
    }

    AccountKeeper accounts() {
        return accounts;
    }

    KeyKeeper keys() {
        return keys;
    }

    UpgradeSurvey upgrades() {
        return upgrades;
    }

    Heartbeats heartbeats() {
        return heartbeats;
    }

    Operators operators() {
        return operators;
    }

    ManagerKeeper managers() {
        return managers;
    }
}
