package io.parterre.manager.plan.view;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The node that claimed last to lead each range. Also counts leaderships by node, so that a round
 * need not examine the ranges of nodes about which nothing has changed since their report. Not
 * thread-safe.
 */
public final class Leaders {
    /**
     * The count of a node's leaderships.
     *
     * @param ranges that the node was the last to claim
     * @param lastChange unique number of the last change of this count
     */
    record Led(int ranges, long lastChange) {
        private static final Led NONE = new Led(0, 0);
    }

    private final Map<RangeId, NodeId> byRange;
    private final Map<NodeId, Led> byNode = new HashMap<>();
    private final boolean counted;
    private long changes;

    /** Creates an instance without leaders. */
    public Leaders() {
        this(new HashMap<>(), true);
    }

    private Leaders(Map<RangeId, NodeId> byRange, boolean counted) {
        this.byRange = byRange;
        this.counted = counted;
    }

    /** Returns a view of leaders that others keep, without counts. */
    public static Leaders of(Map<RangeId, NodeId> byRange) {
        return new Leaders(Collections.unmodifiableMap(byRange), false);
    }

    /**
     * Records that the node claims to lead the range. Returns false if it was the last to claim it
     * already.
     */
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

    /** Returns the node's count; empty if this instance does not count. */
    Optional<Led> led(NodeId nodeId) {
        return counted ? Optional.of(byNode.getOrDefault(nodeId, Led.NONE)) : Optional.empty();
    }

    /** Returns a live, unmodifiable view of the last leaders. */
    public Map<RangeId, NodeId> byRange() {
        return Collections.unmodifiableMap(byRange);
    }
}
