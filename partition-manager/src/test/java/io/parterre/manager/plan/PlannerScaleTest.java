package io.parterre.manager.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One round over 100,000 ranges on 1,000 nodes. */
class PlannerScaleTest {
    private static final Logger LOG = LoggerFactory.getLogger(PlannerScaleTest.class);
    private static final int RANGES = 100_000;
    private static final int NODES = 1_000;
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    /** Much more than it takes, since others may use the machine as well. */
    private static final Duration TOOK_MAX = Duration.ofSeconds(5);

    private final ClusterMap map = map();
    private final Map<RangeId, NodeId> leaders = new HashMap<>();

    private static ClusterMap map() {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= NODES; n++) {
            nodes.add(Maps.node(Maps.id(n), "z" + n % 5));
        }
        Random random = new Random(1);
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            Set<NodeId> three = new HashSet<>();
            while (three.size() < 3) {
                three.add(Maps.id(1 + random.nextInt(NODES)));
            }
            members.add(List.copyOf(three));
        }
        return Maps.of(nodes, members);
    }

    private Map<NodeId, Heard> heard(int deadNodes) {
        Map<NodeId, Heard> heard = new HashMap<>();
        int n = 0;
        for (ClusterNode node : map.nodes()) {
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeId rangeId : map.ranges().onNode(node.nodeId())) {
                RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
                boolean leads = range.members().get(0).equals(node.nodeId());
                if (leads) {
                    leaders.put(rangeId, node.nodeId());
                }
                replicas.add(
                        new NodeReport.Replica(
                                rangeId,
                                range.generation(),
                                leads,
                                1,
                                1,
                                range.members(),
                                List.of(),
                                false));
            }
            Instant at = n++ < deadNodes ? Instant.EPOCH : NOW;
            heard.put(
                    node.nodeId(),
                    new Heard(new NodeReport(node, map.clusterId(), replicas), at, Map.of()));
        }
        return heard;
    }

    @Test
    void aRoundOverAHundredThousandRangesTakesNoLongerThanTheTimeBetweenTwo() {
        for (int dead : new int[] {0, 1, 100}) {
            Map<NodeId, Heard> heard = heard(dead);
            Duration best = Duration.ofDays(1);
            Plan plan = Plan.NONE;
            for (int i = 0; i < 5; i++) {
                ClusterView view =
                        new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, Policy.DEFAULT);
                long began = System.nanoTime();
                plan = Planner.plan(view, Policy.DEFAULT);
                ClusterHealth.of(view);
                Duration took = Duration.ofNanos(System.nanoTime() - began);
                best = took.compareTo(best) < 0 ? took : best;
            }
            LOG.info(
                    "planning round ranges={} nodes={} dead={} decisions={} tookMillis={}",
                    RANGES,
                    NODES,
                    dead,
                    plan.decisions().size(),
                    best.toMillis());
            assertThat(plan.isQuiet()).isFalse();
            assertThat(best).isLessThan(TOOK_MAX);
        }
    }
}
