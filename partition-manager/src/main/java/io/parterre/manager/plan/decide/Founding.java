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
     * @param initialReplicas members of the first range, in as many zones as there are
     * @param policy by which these are a copyset
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
