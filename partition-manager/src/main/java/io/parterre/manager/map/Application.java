package io.parterre.manager.map;

import io.parterre.manager.map.MapApply.Applied;
import io.parterre.manager.reason.Reason;
import io.parterre.range.NodeId;
import java.util.List;
import java.util.Optional;

/**
 * Helpers for the application of commands to one map. Deterministic: the same map and command give
 * the same result.
 */
interface Application {
    ClusterMap map();

    /** Returns a change that watchers do not see. */
    default Applied operations(Operations changed) {
        return new Applied(map().with(changed), new MapOutcome.Done(), Optional.empty());
    }

    default Applied done(ClusterMap after, MapDelta delta) {
        return new Applied(after, new MapOutcome.Done(), Optional.of(delta));
    }

    default Applied refused(Reason reason) {
        return unchanged(new MapOutcome.Refused(reason));
    }

    default Applied unchanged(MapOutcome outcome) {
        return new Applied(map(), outcome, Optional.empty());
    }

    /**
     * Returns the outcome for members that the map does not hold as nodes; empty if it holds all.
     */
    default Optional<Applied> unknown(List<NodeId> members) {
        List<NodeId> unknown = members.stream().filter(id -> map().node(id).isEmpty()).toList();
        return unknown.isEmpty()
                ? Optional.empty()
                : Optional.of(unchanged(new MapOutcome.UnknownMembers(unknown)));
    }
}
