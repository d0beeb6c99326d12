package io.parterre.manager.lead;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapDelta;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The last known leader of each range. Hints are numbered by change, so that a watcher gets only
 * those that are new to it. Confined to the loop's thread.
 */
public final class LeaderHints {
    /** The last known leader of a range. */
    public record Hint(RangeId rangeId, NodeId nodeId) {}

    private record Numbered(NodeId nodeId, long number) {}

    private final Map<RangeId, Numbered> byRange = new HashMap<>();
    private final TreeMap<Long, RangeId> byNumber = new TreeMap<>();
    private final Leaders leaders = new Leaders();
    private long lastNumber;

    /** Version of the map that this was last compared with. */
    private long followed;

    /** Records that the node says that it leads the range. The latest claim counts. */
    void leads(RangeId rangeId, NodeId nodeId) {
        if (!leaders.leads(rangeId, nodeId)) {
            return;
        }
        lastNumber++;
        Numbered before = byRange.put(rangeId, new Numbered(nodeId, lastNumber));
        if (before != null) {
            byNumber.remove(before.number());
        }
        byNumber.put(lastNumber, rangeId);
    }

    /**
     * Forgets ranges that the map no longer holds. A range that stayed would count as led by its
     * last leader.
     *
     * @param deltas changes that led to this map
     */
    void follow(ClusterMap map, DeltaLog deltas) {
        if (map.version() == followed) {
            return;
        }
        Optional<List<MapDelta>> news = deltas.since(followed);
        if (news.isPresent()) {
            for (MapDelta delta : news.get()) {
                delta.removedRanges().forEach(this::forget);
                followed = delta.version();
            }
        } else {
            List.copyOf(byRange.keySet()).stream()
                    .filter(rangeId -> map.ranges().find(rangeId).isEmpty())
                    .forEach(this::forget);
            followed = map.version();
        }
    }

    private void forget(RangeId rangeId) {
        Numbered gone = byRange.remove(rangeId);
        leaders.forget(rangeId);
        if (gone != null) {
            byNumber.remove(gone.number());
        }
    }

    void clear() {
        byRange.clear();
        byNumber.clear();
        leaders.clear();
    }

    /** Returns a live view of the leaders. */
    Leaders leaders() {
        return leaders;
    }

    /** Returns the number of the newest hint. */
    long lastNumber() {
        return lastNumber;
    }

    /** Returns the hints with a higher number, oldest first; all for 0. */
    List<Hint> since(long number) {
        List<Hint> hints = new ArrayList<>();
        for (RangeId rangeId : byNumber.tailMap(number, false).values()) {
            hints.add(new Hint(rangeId, byRange.get(rangeId).nodeId()));
        }
        return hints;
    }
}
