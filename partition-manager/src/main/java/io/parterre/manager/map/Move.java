package io.parterre.manager.map;

import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * A change of a range's members that is under way; a range has at most one. What its next step is
 * follows from the range's descriptor and the nodes' reports, so that any manager can go on with
 * it. There is no point of no return: until the new replica has joined it may be given up, by
 * raising the range's generation without it; after that, what is wrong is for the next plan to put
 * right.
 *
 * @param add node that gets a replica. The same as {@code remove}: a node that lost its replica
 *     leaves and joins again
 * @param remove node that loses its replica
 * @param decidedAt generation of the range when it was begun
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

    /** Whether a node that lost its replica gets a new copy. */
    public boolean rebuilds() {
        return add.isPresent() && add.equals(remove);
    }

    /** Whether the node gains or loses by it. */
    public boolean concerns(NodeId nodeId) {
        return add.filter(nodeId::equals).isPresent() || remove.filter(nodeId::equals).isPresent();
    }
}
