package io.parterre.manager.plan.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.policy.CopysetPolicy;
import io.parterre.manager.plan.view.Maps;
import io.parterre.range.NodeId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What holds of nearness, however many nodes stand in which zones. */
class CopysetsProperties {
    private static final int RINGS = 3;
    private static final CopysetPolicy POLICY = new CopysetPolicy(1, RINGS);

    /** In zones of any sizes. */
    private static List<ClusterNode> nodes(int count, int zones, Random random) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            // The lower its number, the more nodes a zone has.
            int zone = random.nextInt(1 + random.nextInt(zones));
            nodes.add(Maps.node(Maps.id(n + random.nextInt(7) * 1_000), "z" + zone));
        }
        return nodes;
    }

    private static List<ClusterNode> without(List<ClusterNode> nodes, NodeId gone) {
        return nodes.stream().filter(node -> !node.nodeId().equals(gone)).toList();
    }

    private static Map<String, Integer> byZone(List<ClusterNode> nodes, List<NodeId> members) {
        Map<String, Integer> count = new HashMap<>();
        for (ClusterNode node : nodes) {
            count.merge(node.zone(), members.contains(node.nodeId()) ? 1 : 0, Integer::sum);
        }
        return count;
    }

    /** Zones that a further member may come from: with the fewest members, and a node left. */
    private static Set<String> next(List<ClusterNode> nodes, List<NodeId> members) {
        Map<String, Integer> count = byZone(nodes, members);
        Set<String> open = new HashSet<>();
        for (ClusterNode node : nodes) {
            if (!members.contains(node.nodeId())) {
                open.add(node.zone());
            }
        }
        int fewest = open.stream().mapToInt(count::get).min().orElse(0);
        open.removeIf(zone -> count.get(zone) > fewest);
        return open;
    }

    @Property(tries = 200)
    void ringSetStartsAtEachNodeAndSpreadsOverZones(
            @ForAll @IntRange(min = 1, max = 60) int count,
            @ForAll @IntRange(min = 1, max = 8) int zones,
            @ForAll @IntRange(min = 1, max = 7) int replicas,
            @ForAll long seed) {
        List<ClusterNode> nodes = nodes(count, zones, new Random(seed));
        List<List<NodeId>> sets = NodeRing.of(nodes, 0).sets(replicas);
        assertThat(sets)
                .extracting(set -> set.get(0))
                .containsExactlyInAnyOrderElementsOf(
                        nodes.stream().map(ClusterNode::nodeId).toList());
        for (List<NodeId> set : sets) {
            assertThat(set).doesNotHaveDuplicates().hasSize(Math.min(replicas, count));
            Map<String, Integer> count0 = byZone(nodes, set);
            for (String zone : next(nodes, set)) {
                assertThat(count0.values()).allMatch(each -> each <= count0.get(zone) + 1);
            }
        }
    }

    @Property(tries = 200)
    void copysetPeersAreMutualAndEveryNodeHasACopyset(
            @ForAll @IntRange(min = 2, max = 60) int count,
            @ForAll @IntRange(min = 1, max = 8) int zones,
            @ForAll @IntRange(min = 2, max = 7) int replicas,
            @ForAll long seed) {
        List<ClusterNode> nodes = nodes(count, zones, new Random(seed));
        Copysets copysets = Copysets.of(nodes, replicas, POLICY);
        int sum = 0;
        for (ClusterNode node : nodes) {
            NodeId id = node.nodeId();
            assertThat(copysets.near(id)).doesNotContain(id);
            assertThat(copysets.near(id)).allMatch(other -> copysets.near(other).contains(id));
            assertThat(copysets.near(id))
                    .hasSizeGreaterThanOrEqualTo(Math.min(count, replicas) - 1);
            sum += copysets.near(id).size();
        }
        assertThat(sum).isLessThanOrEqualTo(count * RINGS * replicas * (replicas - 1));
        for (int ring = 0; ring < RINGS; ring++) {
            assertThat(NodeRing.of(nodes, ring).sets(replicas)).allMatch(copysets::isCopyset);
        }
    }

    /** So that what a node's coming or going changes is about what it holds itself. */
    @Property(tries = 200)
    void addedNodeChangesOnlySetsThatContainIt(
            @ForAll @IntRange(min = 2, max = 60) int count,
            @ForAll @IntRange(min = 1, max = 8) int zones,
            @ForAll @IntRange(min = 2, max = 7) int replicas,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<ClusterNode> nodes = nodes(count, zones, random);
        NodeId comes = nodes.get(random.nextInt(count)).nodeId();
        for (int ring = 0; ring < RINGS; ring++) {
            Map<NodeId, List<NodeId>> before = new HashMap<>();
            NodeRing.of(without(nodes, comes), ring)
                    .sets(replicas)
                    .forEach(set -> before.put(set.get(0), set));
            for (List<NodeId> set : NodeRing.of(nodes, ring).sets(replicas)) {
                if (!set.contains(comes) && count > replicas) {
                    assertThat(set).isEqualTo(before.get(set.get(0)));
                }
            }
        }
    }

    /** A repair always finds a node, and in a zone that it may be in. */
    @Property(tries = 200)
    void lostCopysetMemberHasReplacementFormingCopyset(
            @ForAll @IntRange(min = 3, max = 60) int count,
            @ForAll @IntRange(min = 1, max = 8) int zones,
            @ForAll @IntRange(min = 2, max = 7) int replicas,
            @ForAll long seed) {
        Random random = new Random(seed);
        List<ClusterNode> nodes = nodes(count, zones, random);
        if (count <= replicas) {
            return;
        }
        List<List<NodeId>> sets = NodeRing.of(nodes, random.nextInt(RINGS)).sets(replicas);
        for (List<NodeId> set : sets) {
            NodeId lost = set.get(random.nextInt(replicas));
            List<ClusterNode> left = without(nodes, lost);
            List<NodeId> staying = new ArrayList<>(set);
            staying.remove(lost);
            Copysets copysets = Copysets.of(left, replicas, POLICY);
            Set<String> open = next(left, staying);
            assertThat(copysets.isCopyset(staying)).isTrue();
            assertThat(left)
                    .anyMatch(
                            node ->
                                    !staying.contains(node.nodeId())
                                            && open.contains(node.zone())
                                            && copysets.strangers(node.nodeId(), staying) == 0);
        }
    }
}
