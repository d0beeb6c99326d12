package io.parterre.manager.lead;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/**
 * Leadership transfers that operators asked for. A request is forgotten once it is carried out or
 * after 30 s, because leadership is not worth a log entry. Confined to the loop's thread.
 */
final class LeadershipRequests {
    private static final Duration KEPT = Duration.ofSeconds(30);

    private record Wish(NodeId to, Instant until) {}

    private final Map<RangeId, Wish> byRange = new HashMap<>();

    void add(RangeId rangeId, NodeId to, Instant now) {
        byRange.put(rangeId, new Wish(to, now.plus(KEPT)));
    }

    /** The node leads the range now. */
    void leads(RangeId rangeId, NodeId nodeId) {
        Wish wish = byRange.get(rangeId);
        if (wish != null && wish.to().equals(nodeId)) {
            byRange.remove(rangeId);
        }
    }

    /** Returns the planned leaders, overridden by those that operators asked for. */
    Map<RangeId, NodeId> over(Map<RangeId, NodeId> planned, Instant now) {
        byRange.values().removeIf(wish -> !now.isBefore(wish.until()));
        if (byRange.isEmpty()) {
            return planned;
        }
        Map<RangeId, NodeId> all = new HashMap<>(planned);
        byRange.forEach((rangeId, wish) -> all.put(rangeId, wish.to()));
        return all;
    }

    void clear() {
        byRange.clear();
    }
}
