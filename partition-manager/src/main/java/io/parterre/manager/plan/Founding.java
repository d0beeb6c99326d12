package io.parterre.manager.plan;

import io.parterre.manager.map.ClusterMap;
import io.parterre.range.NodeId;
import java.util.Collection;
import java.util.List;

/** Decides when a cluster comes into being. Stateless; safe for any thread. */
public final class Founding {
    private Founding() {}

    /** What to do about it. */
    public sealed interface Decision {}

    /** Found it on these nodes. */
    public record FoundOn(List<NodeId> members) implements Decision {
        public FoundOn {
            members = List.copyOf(members);
        }
    }

    /** Leave it: there is a cluster already. */
    public record AlreadyFounded() implements Decision {}

    /** Leave it: too few nodes have reported yet. */
    public record TooFewNodes(int have, int need) implements Decision {}

    /**
     * Decides.
     *
     * @param heard nodes that reported to this leader and hold no other cluster's data
     * @param initialReplicas members of the first range
     */
    public static Decision decide(ClusterMap map, Collection<NodeId> heard, int initialReplicas) {
        if (map.clusterId().isPresent()) {
            return new AlreadyFounded();
        }
        List<NodeId> ready =
                heard.stream().filter(id -> map.node(id).isPresent()).sorted().toList();
        if (ready.size() < initialReplicas) {
            return new TooFewNodes(ready.size(), initialReplicas);
        }
        return new FoundOn(ready.subList(0, initialReplicas));
    }
}
