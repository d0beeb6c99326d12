package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Target leaders for the children of splits that this node began. An entry may never be asked for,
 * because the split is refused or another node leads the child, so entries expire. Safe for any
 * thread.
 */
public final class ChildLeaders {
    /**
     * Time for which a target is kept. If the split happens later, the elected member leads the
     * child.
     */
    static final Duration KEPT = Duration.ofMinutes(2);

    private final Map<RangeId, Wish> byChild = new ConcurrentHashMap<>();

    private record Wish(NodeId leader, long nanos) {}

    public void put(RangeId childId, NodeId leader, long nowNanos) {
        byChild.values().removeIf(wish -> nowNanos - wish.nanos() >= KEPT.toNanos());
        byChild.put(childId, new Wish(leader, nowNanos));
    }

    /** Returns and removes the target leader of a child; empty if there is none. */
    public Optional<NodeId> take(RangeId childId) {
        return Optional.ofNullable(byChild.remove(childId)).map(Wish::leader);
    }

    int size() {
        return byChild.size();
    }
}
