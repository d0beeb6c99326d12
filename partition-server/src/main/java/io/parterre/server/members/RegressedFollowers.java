package io.parterre.server.members;

import io.parterre.range.NodeId;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Followers of one leader whose log ends before entries that they had acknowledged: their folder is
 * an older copy of itself, or their disk lost what it had reported as written. Bounded by the
 * range's members. Safe for any thread.
 */
public final class RegressedFollowers {
    private final Map<NodeId, Long> acknowledged = new ConcurrentHashMap<>();

    /** Notes that a follower's log ends before an entry that it had acknowledged. */
    public void regressed(NodeId follower, long acknowledgedIndex) {
        acknowledged.merge(follower, acknowledgedIndex, Math::max);
    }

    /** Forgets a follower, because a new member of this name has acknowledged nothing yet. */
    public void joins(NodeId follower) {
        acknowledged.remove(follower);
    }

    /**
     * Forgets all followers, because this replica does not know what they have acknowledged to an
     * earlier leader.
     */
    public void clear() {
        acknowledged.clear();
    }

    /**
     * Last entry that the follower had acknowledged when it turned out to lack some; empty if it
     * lacks none.
     */
    public OptionalLong acknowledged(NodeId follower) {
        Long index = acknowledged.get(follower);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index);
    }
}
