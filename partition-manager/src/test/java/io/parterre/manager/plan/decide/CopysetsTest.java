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
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How many nodes are near each other, and how few sets of them there are. */
class CopysetsTest {
    private static final Logger LOG = LoggerFactory.getLogger(CopysetsTest.class);
    private static final int REPLICAS = 3;

    private static List<ClusterNode> nodes(int count, int zones) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(Maps.node(Maps.id(n), "z" + n % zones));
        }
        return nodes;
    }

    /** Another order would take all ranges of all clusters out of their copysets at once. */
    @Test
    void nodeRingPositionsAndSetsStayStable() {
        assertThat(NodeRing.position(Maps.id(1), 0)).isEqualTo(-1_517_151_999_064_233_050L);
        assertThat(NodeRing.of(nodes(6, 3), 0).sets(REPLICAS))
                .containsExactly(
                        Maps.ids(3, 2, 4),
                        Maps.ids(2, 4, 6),
                        Maps.ids(4, 5, 6),
                        Maps.ids(5, 6, 1),
                        Maps.ids(6, 1, 2),
                        Maps.ids(1, 3, 2));
    }

    @ParameterizedTest
    @CsvSource({"20, 3", "60, 1", "60, 3", "100, 3", "1000, 5"})
    void copysetPeersAndCopysetsStayFew_with20To1000Nodes(int count, int zones) {
        List<ClusterNode> nodes = nodes(count, zones);
        CopysetPolicy policy = CopysetPolicy.DEFAULT;
        Copysets copysets = Copysets.of(nodes, REPLICAS, policy);
        Set<Set<NodeId>> sets = new HashSet<>();
        for (int ring = 0; ring < policy.rings(); ring++) {
            NodeRing.of(nodes, ring).sets(REPLICAS).forEach(set -> sets.add(Set.copyOf(set)));
        }
        int all = copysets(nodes, copysets);
        double near =
                nodes.stream()
                        .mapToInt(node -> copysets.near(node.nodeId()).size())
                        .average()
                        .orElseThrow();
        LOG.info(
                "copysets nodes={} zones={} near={} sets={} all={}",
                count,
                zones,
                near,
                sets.size(),
                all);
        assertThat(near).isBetween(8.0, 12.5);
        assertThat(sets.size()).isBetween(2 * count, 3 * count);
        // Where there are few nodes, more are near each other by chance.
        assertThat(all).isBetween(sets.size(), 6 * count);
    }

    /** Three nodes in as many zones as they can be, each near each other. */
    private static int copysets(List<ClusterNode> nodes, Copysets copysets) {
        Map<NodeId, String> zones = new HashMap<>();
        nodes.forEach(node -> zones.put(node.nodeId(), node.zone()));
        int spread = (int) Math.min(REPLICAS, zones.values().stream().distinct().count());
        int count = 0;
        for (NodeId a : zones.keySet()) {
            for (NodeId b : copysets.near(a)) {
                for (NodeId c : copysets.near(b)) {
                    if (a.compareTo(b) < 0
                            && b.compareTo(c) < 0
                            && copysets.near(a).contains(c)
                            && spread == Stream.of(a, b, c).map(zones::get).distinct().count()) {
                        count++;
                    }
                }
            }
        }
        return count;
    }

    @Test
    void copysetsAreUnused_whenClusterHasFewerThan20Nodes() {
        List<ClusterNode> nodes = nodes(19, 3);
        Copysets none = Copysets.of(nodes, REPLICAS, CopysetPolicy.DEFAULT);
        assertThat(none.areInUse()).isFalse();
        assertThat(none.isCopyset(nodes.stream().map(ClusterNode::nodeId).toList())).isTrue();
        assertThat(Copysets.of(nodes(20, 3), REPLICAS, CopysetPolicy.DEFAULT).areInUse()).isTrue();
    }
}
