package io.parterre.manager.lead;

import io.parterre.manager.lead.LeaderHints.Hint;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Brings every watcher up to date as it can take updates. Keeps nothing for the slow ones: they
 * continue from the delta log, or start over with the whole map. Owned by the loop's thread.
 */
final class WatchHub {
    private static final long NOTHING = -1;

    /** How far a watcher has come. */
    private record Position(long version, long hintNumber) {}

    private final Map<Watcher, Position> watchers = new HashMap<>();
    private final Supplier<ClusterMap> map;
    private final DeltaLog deltas;
    private final LeaderHints hints;
    private final int watchersMax;
    private final PartitionManagerMetrics metrics;

    WatchHub(
            Supplier<ClusterMap> map,
            DeltaLog deltas,
            LeaderHints hints,
            int watchersMax,
            PartitionManagerMetrics metrics) {
        this.map = map;
        this.deltas = deltas;
        this.hints = hints;
        this.watchersMax = watchersMax;
        this.metrics = metrics;
    }

    /** Begins with the whole map; false: there are too many already. */
    boolean add(Watcher watcher) {
        if (watchers.size() >= watchersMax) {
            return false;
        }
        watchers.put(watcher, new Position(NOTHING, 0));
        advance(watcher);
        return true;
    }

    void remove(Watcher watcher) {
        watchers.remove(watcher);
    }

    int size() {
        return watchers.size();
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
        if (news.isEmpty()) {
            ClusterMap whole = map.get();
            watchers.put(watcher, new Position(whole.version(), hintNumber));
            metrics.watchUpdate("whole");
            watcher.whole(whole, hints.since(0));
            return;
        }
        List<Hint> newHints = hints.since(position.hintNumber());
        if (news.get().isEmpty() && newHints.isEmpty()) {
            return;
        }
        long version = position.version();
        for (MapDelta delta : news.get()) {
            version = delta.version();
            for (RangeId gone : delta.removedRanges()) {
                hints.forget(gone);
            }
        }
        watchers.put(watcher, new Position(version, hintNumber));
        metrics.watchUpdate("changes");
        watcher.changes(version, news.get(), newHints);
    }

    /** Sends everyone to the manager that leads. */
    void end(Optional<String> leaderAddress) {
        List<Watcher> ended = new ArrayList<>(watchers.keySet());
        watchers.clear();
        for (Watcher watcher : ended) {
            watcher.ended(leaderAddress);
        }
    }
}
