package io.parterre.server.members;

import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What comparing a range's members has found, as its leader knows it, and what this replica knows
 * of itself, which outlasts its leadership. Bounded by the range's members. Safe for any thread.
 */
public final class DifferingMembers {
    private final Map<NodeId, Long> others = new ConcurrentHashMap<>();
    private volatile OptionalLong own = OptionalLong.empty();
    private volatile OptionalLong undecided = OptionalLong.empty();

    /**
     * After a comparison that told who differs, if anybody does.
     *
     * @param self this replica's node
     * @param odd those that hold other rows than most members
     */
    public void compared(NodeId self, Collection<NodeId> odd, long index) {
        undecided = OptionalLong.empty();
        own = odd.contains(self) ? OptionalLong.of(index) : OptionalLong.empty();
        others.keySet().retainAll(odd);
        for (NodeId node : odd) {
            if (!node.equals(self)) {
                others.put(node, index);
            }
        }
    }

    /** Members hold different rows at that entry, and no majority holds the same. */
    public void undecided(long index) {
        undecided = OptionalLong.of(index);
    }

    /** A new member of this name has a copy of the rows. */
    public void joins(NodeId member) {
        others.remove(member);
    }

    /** The next leader compares again; what is known of a replica the managers remember. */
    public void leaderChanged() {
        others.clear();
        undecided = OptionalLong.empty();
    }

    /** This replica has a copy of another one's rows. */
    public void replaced() {
        own = OptionalLong.empty();
    }

    /** Entry at which that member's rows were others than those of most; empty: not known. */
    public OptionalLong of(NodeId member) {
        Long index = others.get(member);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** The same of this replica. */
    public OptionalLong own() {
        return own;
    }

    /** Entry at which members differed and no majority held the same; empty: not known. */
    public OptionalLong undecided() {
        return undecided;
    }
}
