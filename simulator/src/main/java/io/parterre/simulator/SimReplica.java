package io.parterre.simulator;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import java.util.List;

/** The state of a replica, as far as its log has been applied. */
final class SimReplica {
    Generation generation;
    List<NodeId> members;
    boolean joining;

    /** The second in which it was made. */
    final long since;

    /** Whether its log is damaged. It serves all the same until its next start. */
    boolean damaged;

    boolean held;

    SimReplica(Generation generation, List<NodeId> members, boolean joining, long since) {
        this.generation = generation;
        this.members = members;
        this.joining = joining;
        this.since = since;
    }
}
