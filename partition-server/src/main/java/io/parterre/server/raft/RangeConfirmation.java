package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.Fence;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.ratis.protocol.RaftGroupId;

/**
 * Replicas that a node finds on its disk are fenced, and do not vote, until a manager confirms that
 * their ranges were not superseded. Safe for any thread; never blocks.
 */
public final class RangeConfirmation {
    private final ReplicaNode node;

    RangeConfirmation(ReplicaNode node) {
        this.node = node;
    }

    /** The replica is fenced until a manager confirms that its range was not superseded. */
    void await(Replica replica) {
        replica.fence(Fence.UNTIL_ANSWERED);
        if (replica.isAlone()) {
            node.votes().foundAlone(replica.groupId());
        } else {
            node.votes().found(replica.groupId());
        }
    }

    /**
     * A manager has answered a report of this node. If it certainly leads, the node may vote and
     * lead from now on; never in groups of ranges that were given up, and it answers for none of
     * those.
     *
     * @param regressed ranges in whose groups it must not vote yet: its log ends before entries
     *     that it had acknowledged
     * @param named ranges that the report told of: of others the answer says nothing
     * @param counts whether the manager certainly led when it heard the report
     */
    public void answered(
            Collection<RangeId> givenUp,
            Set<RangeId> regressed,
            Set<RangeId> named,
            boolean counts) {
        boolean opened = false;
        node.votes().regressed(groupIds(regressed));
        Set<RaftGroupId> unnamed = new HashSet<>();
        for (Map.Entry<RangeId, Replica> each : node.replicas().live().entrySet()) {
            RangeId rangeId = each.getKey();
            Replica replica = each.getValue();
            boolean isNamed = named.contains(rangeId) && !regressed.contains(rangeId);
            Fence next = replica.fence().after(givenUp.contains(rangeId), counts && isNamed);
            opened |= next == Fence.OPEN && next != replica.fence();
            replica.fence(next);
            if (!isNamed) {
                unnamed.add(replica.groupId());
            }
        }
        if (counts) {
            node.votes().answered(groupIds(givenUp), unnamed);
        }
        if (opened) {
            // It leads, which is to be told.
            node.changed();
        }
    }

    private static Set<RaftGroupId> groupIds(Collection<RangeId> ranges) {
        return ranges.stream()
                .map(rangeId -> RaftGroupId.valueOf(rangeId.groupId()))
                .collect(Collectors.toSet());
    }

    /** Whether a manager that certainly leads is to be asked what became of ranges found here. */
    public boolean asksForLead() {
        return node.votes().asks();
    }
}
