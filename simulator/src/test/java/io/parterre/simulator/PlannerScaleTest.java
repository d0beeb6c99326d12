package io.parterre.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.plan.decide.LeadershipAsked;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.decide.UnsplittableRanges;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.Census;
import io.parterre.manager.plan.view.ClusterHealth;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.OddRanges;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
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
    private static final int ZONES = 5;
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    /** A thousand nodes cannot hold so many ranges with a hundred replicas each. */
    private static final Policy POLICY = Policy.DEFAULT.withReplicasPerNodeMax(1_000);

    /** For a range on a node that is not well. */
    private static final int LOOKUPS_MAX = 12;

    /** For the few moves of a round, each of which looks for the best of all nodes. */
    private static final int SPARE = 20 * NODES;

    private static final long ALLOCATED_MAX = 64L << 20;

    private final StillCluster cluster = new StillCluster(map());

    private static ClusterMap map() {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= NODES; n++) {
            nodes.add(Maps.node(Maps.id(n), "z" + n % ZONES));
        }
        Random random = new Random(1);
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < RANGES; i++) {
            // One node of each of three zones, as it is once all has settled.
            int zone = random.nextInt(ZONES);
            List<NodeId> three = new ArrayList<>();
            for (int j = 0; j < 3; j++) {
                int n = random.nextInt(NODES / ZONES) * ZONES + (zone + j) % ZONES;
                three.add(Maps.id(n == 0 ? NODES : n));
            }
            members.add(three);
        }
        return Maps.of(nodes, members);
    }

    /**
     * Work is counted, since time depends on who else uses the machine ({@code simulate planners}
     * shows it): only what ranges on nodes that are not well need is looked up.
     */
    @Test
    void planningLooksUpOnlyRangesOfUnhealthyNodes_with100000Ranges() {
        OddRanges oddRanges = new OddRanges();
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        for (int dead : new int[] {0, 1, 100}) {
            cluster.allReport(NOW);
            cluster.map().nodes().stream()
                    .limit(dead)
                    .forEach(node -> cluster.lastReport(node, Instant.EPOCH));
            Duration best = Duration.ofDays(1);
            long allocated = Long.MAX_VALUE;
            long lookups = 0;
            Plan plan = Plan.NONE;
            for (int i = 0; i < 3; i++) {
                ClusterView view = cluster.view(NOW, POLICY);
                long began = threads.getCurrentThreadCpuTime();
                long before = threads.getCurrentThreadAllocatedBytes();
                Census census = Census.of(view, POLICY.replicas(), oddRanges);
                plan =
                        Planner.plan(
                                view,
                                POLICY,
                                census,
                                LeadershipAsked.NONE,
                                UnsplittableRanges.NONE);
                ClusterHealth.of(view, census);
                allocated = Math.min(allocated, threads.getCurrentThreadAllocatedBytes() - before);
                Duration took = Duration.ofNanos(threads.getCurrentThreadCpuTime() - began);
                best = took.compareTo(best) < 0 ? took : best;
                lookups = view.lookups();
            }
            int touched = touched(dead);
            LOG.info(
                    "planning round ranges={} nodes={} dead={} touched={} lookups={}"
                            + " allocatedMiB={} decisions={} cpuMillis={}",
                    RANGES,
                    NODES,
                    dead,
                    touched,
                    lookups,
                    allocated >> 20,
                    plan.decisions().size(),
                    best.toMillis());
            assertThat(plan.isQuiet()).isFalse();
            assertThat(lookups).isLessThanOrEqualTo(touched * LOOKUPS_MAX + SPARE);
            assertThat(allocated).isLessThan(ALLOCATED_MAX);
        }
    }

    /** Ranges with a replica on a node that is dead. */
    private int touched(int dead) {
        Set<RangeId> ranges = new HashSet<>();
        cluster.map().nodes().stream()
                .limit(dead)
                .forEach(node -> ranges.addAll(cluster.map().ranges().onNode(node.nodeId())));
        return ranges.size();
    }
}
