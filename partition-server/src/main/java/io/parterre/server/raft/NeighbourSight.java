package io.parterre.server.raft;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.DeferredApply;
import io.parterre.server.lifecycle.DeferredApply.Neighbour;
import io.parterre.server.lifecycle.DeferredApply.NeighbourState;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finds the state of a neighbour that a replica waits for, among the node's present replicas. A
 * neighbour that is behind is told what is committed. Safe for any thread; never blocks.
 */
public record NeighbourSight(Function<RangeId, Optional<Replica>> replicas)
        implements Function<DeferredApply, Neighbour> {
    @Override
    public Neighbour apply(DeferredApply wait) {
        return replicas.apply(wait.neighbour().rangeId())
                .map(replica -> look(replica, wait))
                .orElse(Neighbour.GONE);
    }

    private static Neighbour look(Replica replica, DeferredApply wait) {
        NeighbourState state = state(replica, wait);
        if (state == NeighbourState.STARTING || state == NeighbourState.BEHIND) {
            replica.log().knownCommitted(wait.freezeIndex());
        }
        return new Neighbour(state, replica.descriptor().generation(), replica.appliedIndex());
    }

    private static NeighbourState state(Replica replica, DeferredApply wait) {
        if (replica.rows().isFrozenAs(wait.neighbour())) {
            return NeighbourState.FROZEN;
        }
        if (replica.descriptor().generation().compareTo(wait.neighbour().generation()) > 0) {
            return NeighbourState.CHANGED;
        }
        boolean starting =
                !replica.hasGroup()
                        && !replica.stateMachine().group().isEnding()
                        && replica.damage().isEmpty();
        return starting ? NeighbourState.STARTING : NeighbourState.BEHIND;
    }
}
