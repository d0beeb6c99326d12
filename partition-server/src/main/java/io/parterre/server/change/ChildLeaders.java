package io.parterre.server.change;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Who is to lead the children of splits that were begun here. Nobody may ever ask: the split is
 * refused, or another node leads the child. So they are kept for a while only. Safe for any thread.
 */
public final class ChildLeaders {
    /** A split that is still to come then is led by the member that is elected. */
    static final Duration KEPT = Duration.ofMinutes(2);

    private final Map<RangeId, Wish> byChild = new ConcurrentHashMap<>();

    private record Wish(NodeId leader, long nanos) {}

    public void put(RangeId childId, NodeId leader, long nowNanos) {
        byChild.values().removeIf(wish -> nowNanos - wish.nanos() >= KEPT.toNanos());
        byChild.put(childId, new Wish(leader, nowNanos));
    }

    /** Told once. */
    public Optional<NodeId> take(RangeId childId) {
        return Optional.ofNullable(byChild.remove(childId)).map(Wish::leader);
    }

    int size() {
        return byChild.size();
    }
}
