package io.parterre.server.members;

import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Results of comparing a range's members, as known by their leader, and this replica's knowledge of
 * itself, which outlasts its leadership. Bounded by the range's members. Safe for any thread.
 */
public final class DifferingMembers {
    private final Map<NodeId, Long> others = new ConcurrentHashMap<>();
    private volatile OptionalLong own = OptionalLong.empty();
    private volatile OptionalLong undecided = OptionalLong.empty();

    /**
     * Notes the result of a comparison that found out which members differ, if any.
     *
     * @param self this replica's node
     * @param odd members whose rows differ from those of most members
     * @param index entry at which the rows were compared
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

    /** Notes that members hold different rows at that entry, and no majority holds the same. */
    public void undecided(long index) {
        undecided = OptionalLong.of(index);
    }

    /** Forgets a member, because a new member of this name has a copy of the rows. */
    public void joins(NodeId member) {
        others.remove(member);
    }

    /**
     * Forgets the results, because the next leader compares again; the managers remember what is
     * known of each replica.
     */
    public void leaderChanged() {
        others.clear();
        undecided = OptionalLong.empty();
    }

    /** Notes that this replica has a copy of another one's rows. */
    public void replaced() {
        own = OptionalLong.empty();
    }

    /** Entry at which that member's rows differed from those of most members; empty if unknown. */
    public OptionalLong of(NodeId member) {
        Long index = others.get(member);
        return index == null ? OptionalLong.empty() : OptionalLong.of(index);
    }

    /** Entry at which this replica's rows differed from those of most members; empty if unknown. */
    public OptionalLong own() {
        return own;
    }

    /** Entry at which members differed and no majority held the same; empty if unknown. */
    public OptionalLong undecided() {
        return undecided;
    }
}
