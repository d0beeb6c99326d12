package io.parterre.simulator;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import java.util.List;

/** A replica as far as its log has come. */
final class SimReplica {
    Generation generation;
    List<NodeId> members;
    boolean joining;

    /** When it was made. */
    final long since;

    /** Its log; it serves all the same until it is started again. */
    boolean damaged;

    boolean held;

    SimReplica(Generation generation, List<NodeId> members, boolean joining, long since) {
        this.generation = generation;
        this.members = members;
        this.joining = joining;
        this.since = since;
    }
}
