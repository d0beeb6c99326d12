package io.parterre.manager.plan.decide;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Decides when the cluster is created. Stateless and thread-safe. */
public final class Founding {
    private Founding() {}

    /** The decision. */
    public sealed interface Decision {}

    /** Create the cluster on these nodes. */
    public record FoundOn(List<NodeId> members) implements Decision {
        public FoundOn {
            members = List.copyOf(members);
        }
    }

    /** Do nothing: the cluster exists already. */
    public record AlreadyFounded() implements Decision {}

    /** Do nothing: too few nodes have reported yet. */
    public record TooFewNodes(int have, int need) implements Decision {}

    /**
     * Decides.
     *
     * @param heard nodes that reported to this leader and hold no other cluster's data
     * @param initialReplicas members of the first range, in as many zones as possible
     * @param policy the copysets of which the members are to form one
     */
    public static Decision decide(
            ClusterMap map, Collection<NodeId> heard, int initialReplicas, CopysetPolicy policy) {
        if (map.clusterId().isPresent()) {
            return new AlreadyFounded();
        }
        List<ClusterNode> ready =
                heard.stream()
                        .sorted()
                        .map(map::node)
                        .flatMap(Optional::stream)
                        .filter(node -> node.state().takesMore())
                        .toList();
        if (ready.size() < initialReplicas) {
            return new TooFewNodes(ready.size(), initialReplicas);
        }
        return new FoundOn(spread(ready, initialReplicas, policy));
    }

    private static List<NodeId> spread(List<ClusterNode> ready, int count, CopysetPolicy policy) {
        Copysets copysets = Copysets.of(ready, count, policy);
        List<ClusterNode> left = new ArrayList<>(ready);
        Map<String, Integer> taken = new HashMap<>();
        List<NodeId> members = new ArrayList<>();
        while (members.size() < count) {
            ClusterNode next =
                    left.stream()
                            .min(
                                    Comparator.comparing(
                                                    (ClusterNode node) ->
                                                            taken.getOrDefault(node.zone(), 0))
                                            .thenComparing(
                                                    node ->
                                                            copysets.strangers(
                                                                    node.nodeId(), members)))
                            .orElseThrow();
            left.remove(next);
            taken.merge(next.zone(), 1, Integer::sum);
            members.add(next.nodeId());
        }
        return members;
    }
}
