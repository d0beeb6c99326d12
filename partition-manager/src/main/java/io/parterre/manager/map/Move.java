package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A change of a range's members in progress. A range has at most one. Its next step follows from
 * the range's descriptor and the nodes' reports, so any manager can continue it. There is no point
 * of no return: until the new replica has joined, the move may be given up by raising the range's
 * generation without that replica. Later problems are left to the next plan. Immutable.
 *
 * @param add node that gets a replica. If equal to {@code remove}, a node that lost its replica is
 *     removed and added again
 * @param remove node that loses its replica
 * @param decidedAt generation of the range when the move began
 * @param begun by the clock of the manager that began it, in whole milliseconds
 */
public record Move(
        RangeId rangeId,
        Optional<NodeId> add,
        Optional<NodeId> remove,
        MoveReason reason,
        Generation decidedAt,
        Instant begun) {
    public Move {
        if (add.isEmpty() && remove.isEmpty()) {
            throw new IllegalArgumentException(
                    "move of range " + rangeId + ": nothing (expected: add or remove)");
        }
        begun = begun.truncatedTo(ChronoUnit.MILLIS);
    }

    /** Returns whether a node that lost its replica gets a new copy. */
    public boolean rebuilds() {
        return add.isPresent() && add.equals(remove);
    }

    /** Returns whether the node gains or loses a replica. */
    public boolean concerns(NodeId nodeId) {
        return add.filter(nodeId::equals).isPresent() || remove.filter(nodeId::equals).isPresent();
    }
}
