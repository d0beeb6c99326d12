package io.parterre.server.node;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ConfirmationEvent;
import io.parterre.server.raft.Replica;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Fences replicas that a node finds on its disk, and holds their votes back, until a manager
 * confirms that their ranges were not superseded. Safe for any thread; never blocks.
 */
public final class RangeConfirmation {
    private final ReplicaNode node;

    RangeConfirmation(ReplicaNode node) {
        this.node = node;
    }

    /** Fences the replica until a manager confirms that its range was not superseded. */
    void await(Replica replica) {
        on(replica, replica.isAlone() ? ConfirmationEvent.FOUND_ALONE : ConfirmationEvent.FOUND);
    }

    /** Handles an event. Returns whether the event has opened the replica's fence. */
    private boolean on(Replica replica, ConfirmationEvent event) {
        node.votes().on(replica.descriptor().rangeId(), event);
        return replica.standing().on(event);
    }

    /**
     * Handles a manager's answer to a report of this node. If the manager's leadership is
     * confirmed, the node may vote and lead from now on. It never may in groups of ranges that were
     * given up, and it serves none of these ranges.
     *
     * @param regressed ranges in whose groups this node must not vote yet, because its log ends
     *     before entries that it had acknowledged
     * @param named ranges in the report; the answer says nothing about others
     * @param counts whether the manager's leadership was confirmed when it heard the report
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
            // Asks the present replicas, not those found above: there may be one more by now.
            node.votes().retain(replicas::containsKey);
        }
        if (opened) {
            // The replica leads, which managers have to hear.
            node.changed();
        }
    }

    /**
     * Whether the report that is being made asks a manager whose leadership is confirmed what
     * became of ranges found here. The wait for managers begins with the first such report.
     */
    public boolean asksForLead() {
        node.votes().asked();
        return node.votes().asks();
    }
}
