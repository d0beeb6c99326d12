package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.raft.Replica;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

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
        on(replica, replica.isAlone() ? ConfirmationEvent.FOUND_ALONE : ConfirmationEvent.FOUND);
    }

    /** Whether the replica's fence is open by this event. */
    private boolean on(Replica replica, ConfirmationEvent event) {
        node.votes().on(replica.descriptor().rangeId(), event);
        return replica.standing().on(event);
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
        Map<RangeId, Replica> replicas = node.replicas().live();
        for (Map.Entry<RangeId, Replica> each : replicas.entrySet()) {
            RangeId rangeId = each.getKey();
            opened |=
                    on(
                            each.getValue(),
                            ConfirmationEvent.answered(
                                    givenUp.contains(rangeId),
                                    regressed.contains(rangeId),
                                    counts && named.contains(rangeId)));
        }
        if (counts) {
            // Not those that were found above: there may be one more by now.
            node.votes().retain(replicas::containsKey);
        }
        if (opened) {
            // It leads, which is to be told.
            node.changed();
        }
    }

    /**
     * Whether the report that is being made asks a manager that certainly leads what became of
     * ranges found here. The wait for managers begins with the first one.
     */
    public boolean asksForLead() {
        node.votes().asked();
        return node.votes().asks();
    }
}
