package io.parterre.manager.plan.view;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Who claimed last to lead each range. Also counts for each node, so that a round need not look at
 * the ranges of nodes about which nothing has changed since they reported. For one thread.
 */
public final class Leaders {
    /**
     * What is known of a node's leads without a look at them.
     *
     * @param ranges of which nobody claimed leadership after it
     * @param lastChange a number that never returns, for a change of any range
     */
    record Led(int ranges, long lastChange) {
        private static final Led NONE = new Led(0, 0);
    }

    private final Map<RangeId, NodeId> byRange;
    private final Map<NodeId, Led> byNode = new HashMap<>();
    private final boolean counted;
    private long changes;

    /** None are known yet. */
    public Leaders() {
        this(new HashMap<>(), true);
    }

    private Leaders(Map<RangeId, NodeId> byRange, boolean counted) {
        this.byRange = byRange;
        this.counted = counted;
    }

    /** Those that others keep, and do not count. */
    public static Leaders of(Map<RangeId, NodeId> byRange) {
        return new Leaders(Collections.unmodifiableMap(byRange), false);
    }

    /** The node says that it leads the range; false: it did so before. */
    public boolean leads(RangeId rangeId, NodeId nodeId) {
        NodeId before = byRange.put(rangeId, nodeId);
        if (nodeId.equals(before)) {
            return false;
        }
        count(before, -1);
        count(nodeId, 1);
        return true;
    }

    public void forget(RangeId rangeId) {
        count(byRange.remove(rangeId), -1);
    }

    private void count(NodeId nodeId, int more) {
        if (nodeId != null) {
            changes++;
            Led before = byNode.getOrDefault(nodeId, Led.NONE);
            byNode.put(nodeId, new Led(before.ranges() + more, changes));
        }
    }

    public void clear() {
        byRange.clear();
        byNode.clear();
    }

    Optional<NodeId> last(RangeId rangeId) {
        return Optional.ofNullable(byRange.get(rangeId));
    }

    boolean isLastOf(NodeId nodeId, RangeId rangeId) {
        return nodeId.equals(byRange.get(rangeId));
    }

    /** Empty: they are not counted. */
    Optional<Led> led(NodeId nodeId) {
        return counted ? Optional.of(byNode.getOrDefault(nodeId, Led.NONE)) : Optional.empty();
    }

    /** The node that led last; follows later changes. */
    public Map<RangeId, NodeId> byRange() {
        return Collections.unmodifiableMap(byRange);
    }
}
