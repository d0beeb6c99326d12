package io.parterre.simulator;

import static io.parterre.manager.plan.view.ClusterView.majority;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class PlannerProperties {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    private static List<ClusterNode> nodes(int count, int zones) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= count; n++) {
            nodes.add(Maps.node(Maps.id(n), "z" + n % zones));
        }
        return nodes;
    }

    private static List<List<NodeId>> members(
            List<ClusterNode> nodes, int ranges, int replicas, Random random) {
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            List<NodeId> ids = new ArrayList<>(nodes.stream().map(ClusterNode::nodeId).toList());
            Collections.shuffle(ids, random);
            members.add(List.copyOf(ids.subList(0, Math.min(replicas, ids.size()))));
        }
        return members;
    }

    /** Any state of nodes and replicas, however bad. */
    private static ClusterView anyView(int nodeCount, int zones, int ranges, Random random) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (ClusterNode node : nodes(nodeCount, zones)) {
            NodeState[] states = NodeState.values();
            nodes.add(
                    random.nextInt(4) == 0
                            ? node.withState(states[random.nextInt(states.length)])
                            : node);
        }
        List<List<NodeId>> members = new ArrayList<>();
        for (int i = 0; i < ranges; i++) {
            members.addAll(members(nodes, 1, 1 + random.nextInt(6), random));
        }
        ClusterMap map = Maps.of(nodes, members);
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : nodes) {
            NodeId id = node.nodeId();
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeId rangeId : map.ranges().onNode(id)) {
                RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
                if (random.nextInt(8) > 0) {
                    boolean leading = !leaders.containsKey(rangeId) && random.nextBoolean();
                    if (leading) {
                        leaders.put(rangeId, id);
                    }
                    replicas.add(
                            replica(
                                    range,
                                    leading,
                                    random.nextInt(10) == 0,
                                    random.nextInt(10) == 0));
                }
            }
            // Heard now, seconds ago, minutes ago, or not at all.
            int silent = new int[] {0, 0, 0, 0, 10, 500}[random.nextInt(6)];
            heard.put(
                    id,
                    LastReport.next(
                            Optional.empty(),
                            new NodeReport(
                                    node,
                                    map.clusterId(),
                                    replicas,
                                    random.nextInt(8) == 0
                                            ? Optional.of("a bad block")
                                            : Optional.empty(),
                                    false,
                                    List.of(),
                                    List.of(),
                                    DiskSpace.UNKNOWN,
                                    false),
                            NOW.minusSeconds(silent),
                            map.ranges().onNode(id),
                            Leaders.of(Map.of()),
                            Map.of(),
                            random.nextBoolean(),
                            DiskPolicy.DEFAULT));
        }
        Policy policy =
                Policy.DEFAULT
                        .withReplicas(1 + 2 * random.nextInt(3))
                        .withMoves(1 + random.nextInt(8), 1 + random.nextInt(3));
        return new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, policy, Map.of());
    }

    private static NodeReport.Replica replica(
            RangeDescriptor range, boolean leading, boolean joining, boolean damaged) {
        return new NodeReport.Replica(
                range.rangeId(),
                range.generation(),
                leading,
                1,
                1,
                range.members(),
                List.of(),
                joining,
                0,
                damaged
                        ? Optional.of(new NodeReport.Damage("a bad entry", leading))
                        : Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    @Property
    void planNeverBreaksAMajorityOrALimit(
            @ForAll @IntRange(min = 1, max = 9) int nodeCount,
            @ForAll @IntRange(min = 1, max = 4) int zones,
            @ForAll @IntRange(min = 1, max = 20) int ranges,
            @ForAll long seed) {
        ClusterView view = anyView(nodeCount, zones, ranges, new Random(seed));
        Plan plan = Planner.plan(view, view.policy());
        Set<RangeId> seen = new HashSet<>();
        Map<NodeId, Integer> moves = new HashMap<>();
        for (Decision.ChangeMembers change : plan.changes()) {
            RangeDescriptor range = view.map().ranges().find(change.rangeId()).orElseThrow();
            assertThat(seen.add(change.rangeId())).as("one move of a range").isTrue();
            assertThat(change.decidedAt()).isEqualTo(range.generation());
            assertThat(change.why()).asString().isNotBlank();
            checkMajorities(view, range, change);
            change.add()
                    .ifPresent(
                            node -> {
                                moves.merge(node, 1, Integer::sum);
                                if (!change.add().equals(change.remove())) {
                                    assertThat(view.takesMore(node)).isTrue();
                                    assertThat(range.members()).doesNotContain(node);
                                }
                            });
        }
        assertThat(plan.changes().size()).isLessThanOrEqualTo(view.policy().movesMax());
        assertThat(moves.values()).allMatch(count -> count <= view.policy().movesPerNodeMax());
        for (Decision.TransferLead transfer : ofLeads(plan)) {
            assertThat(view.health(transfer.rangeId(), transfer.to())).isEqualTo(Health.HEALTHY);
            assertThat(view.takesMore(transfer.to())).isTrue();
            assertThat(seen).doesNotContain(transfer.rangeId());
        }
    }

    private static List<Decision.TransferLead> ofLeads(Plan plan) {
        return plan.decisions().stream()
                .filter(Decision.TransferLead.class::isInstance)
                .map(Decision.TransferLead.class::cast)
                .toList();
    }

    private static void checkMajorities(
            ClusterView view, RangeDescriptor range, Decision.ChangeMembers change) {
        int healthy = view.healthy(range);
        int members = range.members().size();
        assertThat(healthy).as("can change at all").isGreaterThanOrEqualTo(majority(members));
        if (change.add().equals(change.remove())) {
            if (view.health(range.rangeId(), change.remove().get()) == Health.HEALTHY) {
                assertThat(view.damage(change.remove().get(), range.rangeId())).isPresent();
                healthy--;
            }
            assertThat(healthy).isGreaterThanOrEqualTo(majority(members - 1));
            return;
        }
        if (change.add().isPresent()) {
            members++;
            healthy++;
            assertThat(healthy).isGreaterThanOrEqualTo(majority(members));
        }
        if (change.remove().isPresent()) {
            members--;
            if (view.health(range.rangeId(), change.remove().get()) == Health.HEALTHY) {
                healthy--;
            }
            assertThat(healthy).isGreaterThanOrEqualTo(majority(members));
        }
    }

    @Property(tries = 150)
    void clusterHealsThenStaysStill_afterSurvivableFailures(
            @ForAll @IntRange(min = 1, max = 9) int nodeCount,
            @ForAll @IntRange(min = 1, max = 4) int zones,
            @ForAll @IntRange(min = 1, max = 12) int ranges,
            @ForAll @IntRange(min = 0, max = 2) int half,
            @ForAll long seed) {
        int replicas = 2 * half + 1;
        if (nodeCount < replicas) {
            return;
        }
        Random random = new Random(seed);
        List<ClusterNode> nodes = nodes(nodeCount, zones);
        SimCluster cluster =
                new SimCluster(
                        Maps.of(nodes, members(nodes, ranges, replicas, random)),
                        SimCluster.POLICY.withReplicas(replicas),
                        seed);
        cluster.step();
        for (int i = random.nextInt(nodeCount); i > 0; i--) {
            NodeId node = Maps.id(1 + random.nextInt(nodeCount));
            if (cluster.isUp(node) && cluster.toleratesLossOf(node)) {
                switch (random.nextInt(3)) {
                    case 0 -> cluster.crash(node);
                    case 1 -> cluster.wipe(node);
                    default -> cluster.damageStore(node);
                }
            }
        }
        cluster.settle(400 + 60 * ranges);
        long living = nodes.stream().filter(node -> cluster.isUp(node.nodeId())).count();
        if (living >= replicas) {
            cluster.assertWellReplicated(replicas);
            assertSpread(cluster);
        }
        int moves = cluster.movesBegun();
        int leads = cluster.leadsMoved();
        for (int i = 0; i < 100; i++) {
            cluster.step();
        }
        assertThat(cluster.plan().isQuiet()).as("%s", cluster.plan()).isTrue();
        assertThat(cluster.movesBegun()).isEqualTo(moves);
        assertThat(cluster.leadsMoved()).isEqualTo(leads);
    }

    /** No zone with a living node has two members less than another one. */
    private static void assertSpread(SimCluster cluster) {
        Set<String> open = new TreeSet<>();
        for (ClusterNode node : cluster.map().nodes()) {
            if (cluster.isUp(node.nodeId())) {
                open.add(node.zone());
            }
        }
        for (RangeDescriptor range : cluster.map().ranges().inKeyOrder()) {
            Map<String, Integer> count = new HashMap<>();
            open.forEach(zone -> count.put(zone, 0));
            for (NodeId member : range.members()) {
                count.merge(cluster.map().node(member).orElseThrow().zone(), 1, Integer::sum);
            }
            // A zone whose nodes all are members cannot take more.
            for (String zone : open) {
                boolean full =
                        cluster.map().nodes().stream()
                                .filter(node -> cluster.isUp(node.nodeId()))
                                .filter(node -> node.zone().equals(zone))
                                .allMatch(node -> range.members().contains(node.nodeId()));
                if (!full) {
                    assertThat(Collections.max(count.values()) - count.get(zone))
                            .as("range %s in %s", range.members(), count)
                            .isLessThan(2);
                }
            }
        }
    }

    @Property(tries = 30)
    void planIsDeterministic_forTheSameView(@ForAll long seed) {
        ClusterView one = anyView(8, 3, 20, new Random(seed));
        ClusterView other = anyView(8, 3, 20, new Random(seed));
        assertThat(Planner.plan(one, one.policy())).isEqualTo(Planner.plan(other, other.policy()));
    }
}
