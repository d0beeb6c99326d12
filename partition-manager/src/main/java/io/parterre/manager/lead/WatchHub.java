package io.parterre.manager.lead;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.policy.QuotaPolicy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sends updates to every watcher as fast as it takes them. Queues nothing for slow watchers: they
 * continue from the delta log, or get the whole map again. Confined to the loop's thread.
 */
final class WatchHub {
    private static final long NOTHING = -1;

    /**
     * How far a watcher has come.
     *
     * @param shares last sent to the watcher; empty if nothing was sent
     */
    private record Position(
            long version, long hintNumber, Optional<QuotaShares> shares, Instant since) {
        Position at(long nextVersion, long nextHintNumber, QuotaShares nextShares) {
            return new Position(nextVersion, nextHintNumber, Optional.of(nextShares), since);
        }
    }

    private final Map<Watcher, Position> watchers = new HashMap<>();
    private final KnownWatchers known = new KnownWatchers();
    private final Supplier<ClusterMap> map;
    private final Supplier<QuotaPolicy> quotas;
    private final DeltaLog deltas;
    private final LeaderHints hints;
    private final int watchersMax;
    private final PartitionManagerMetrics metrics;
    private final InstantSource clock;

    WatchHub(
            Supplier<ClusterMap> map,
            Supplier<QuotaPolicy> quotas,
            DeltaLog deltas,
            LeaderHints hints,
            int watchersMax,
            PartitionManagerMetrics metrics,
            InstantSource clock) {
        this.map = map;
        this.quotas = quotas;
        this.deltas = deltas;
        this.hints = hints;
        this.watchersMax = watchersMax;
        this.metrics = metrics;
        this.clock = clock;
    }

    /**
     * Adds a watcher, which gets the changes it lacks, or the whole map. The others' shares of each
     * quota shrink. Returns false if there are too many watchers.
     */
    boolean add(Watcher watcher) {
        if (watchers.size() >= watchersMax) {
            return false;
        }
        ClusterMap now = map.get();
        long held = watcher.knownVersion(now.clusterId());
        // A later version than the map's does not belong to this map.
        boolean usable = held > 0 && held <= now.version();
        watchers.put(
                watcher,
                new Position(usable ? held : NOTHING, 0, Optional.empty(), clock.instant()));
        known.began(watcher.name(), clock.instant());
        advanceAll();
        return true;
    }

    void remove(Watcher watcher) {
        if (watchers.remove(watcher) != null) {
            String instance = watcher.name().instance();
            // The watcher may have returned before the end of its old watch was noticed.
            if (watchers.keySet().stream().noneMatch(each -> isOf(each, instance))) {
                known.ended(watcher.name(), clock.instant());
            }
            advanceAll();
        }
    }

    private static boolean isOf(Watcher watcher, String instance) {
        return watcher.name().instance().equals(instance);
    }

    /**
     * A watcher has confirmed which version it holds.
     *
     * @param ofThisMap whether it is a version of this cluster's map
     */
    void confirmed(String instance, long version, boolean ofThisMap) {
        known.confirmed(instance, ofThisMap ? version : 0, clock.instant());
    }

    /** A watcher has said that it ends. */
    void left(String instance) {
        known.left(instance);
    }

    /** Returns the watchers that ceased to watch and have not said that they end. */
    List<Watchers.Silent> silent() {
        return known.silent(clock.instant());
    }

    int size() {
        return watchers.size();
    }

    /** Returns the names of all watchers. */
    List<WatcherName> names() {
        return watchers.keySet().stream().map(Watcher::name).toList();
    }

    /** Returns how far each watcher has come, sorted by name. */
    List<Watchers.Progress> progress() {
        Instant now = clock.instant();
        return watchers.entrySet().stream()
                .map(
                        each ->
                                new Watchers.Progress(
                                        each.getKey().name(),
                                        sent(each.getValue()),
                                        known.confirmed(each.getKey().name())
                                                .orElse(sent(each.getValue())),
                                        Duration.between(each.getValue().since(), now)))
                .sorted(Comparator.comparing(each -> each.name().name()))
                .toList();
    }

    private static long sent(Position position) {
        return Math.max(0, position.version());
    }

    void advanceAll() {
        for (Watcher watcher : new ArrayList<>(watchers.keySet())) {
            advance(watcher);
        }
    }

    void advance(Watcher watcher) {
        Position position = watchers.get(watcher);
        if (position == null || !watcher.isReady()) {
            return;
        }
        Optional<List<MapDelta>> news =
                position.version() == NOTHING ? Optional.empty() : deltas.since(position.version());
        long hintNumber = hints.lastNumber();
        QuotaShares shares = new QuotaShares(quotas.get(), watchers.size());
        if (news.isEmpty()) {
            ClusterMap whole = map.get();
            watchers.put(watcher, position.at(whole.version(), hintNumber, shares));
            metrics.watchUpdate("whole");
            watcher.whole(whole, hints.since(0), shares);
            return;
        }
        List<Hint> newHints = hints.since(position.hintNumber());
        // A watcher that returns with the latest version still gets one update, which names the
        // managers.
        boolean toldAll = position.shares().equals(Optional.of(shares));
        if (news.get().isEmpty() && newHints.isEmpty() && toldAll) {
            return;
        }
        long version = position.version();
        for (MapDelta delta : news.get()) {
            version = delta.version();
        }
        watchers.put(watcher, position.at(version, hintNumber, shares));
        metrics.watchUpdate("changes");
        watcher.changes(map.get(), version, news.get(), newHints, shares);
    }

    /** Ends all watches and redirects the watchers to the leading manager. */
    void end(Optional<String> leaderAddress) {
        List<Watcher> ended = new ArrayList<>(watchers.keySet());
        watchers.clear();
        known.clear();
        for (Watcher watcher : ended) {
            watcher.ended(leaderAddress);
        }
    }
}
