package io.parterre.manager.plan.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.LeadershipAsked;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.decide.UnsplittableRanges;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.SplitPolicy;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** What is told without a look at each range is what a look at each range tells. */
class CensusProperties {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final int STEPS = 12;
    private static final SplitPolicy SPLIT =
            new SplitPolicy(true, 2_500, 700, 4L << 30, Duration.ofSeconds(10), 8);

    /** A cluster to which anything happens, as one manager follows it. */
    private static final class Anything {
        private final Random random;
        private final int zones;
        private final int nodeCount;
        private final Leaders leaders = new Leaders();
        private final Map<NodeId, LastReport> heard = new HashMap<>();
        private ClusterMap map;

        Anything(int nodeCount, int zones, int ranges, Random random) {
            this.random = random;
            this.zones = zones;
            this.nodeCount = nodeCount;
            List<ClusterNode> nodes = new ArrayList<>();
            for (int n = 1; n <= nodeCount; n++) {
                nodes.add(Maps.node(Maps.id(n), anyZone()));
            }
            List<List<NodeId>> members = new ArrayList<>();
            for (int i = 0; i < ranges; i++) {
                members.add(anyMembers());
            }
            map = Maps.of(nodes, members);
            map.nodes().forEach(this::reports);
        }

        private String anyZone() {
            return "z" + random.nextInt(zones);
        }

        private List<NodeId> anyMembers() {
            List<NodeId> ids = new ArrayList<>();
            for (int n = 1; n <= nodeCount; n++) {
                ids.add(Maps.id(n));
            }
            Collections.shuffle(ids, random);
            int count = Math.min(nodeCount, random.nextInt(3) == 0 ? 1 + random.nextInt(5) : 3);
            return List.copyOf(ids.subList(0, count));
        }

        private ClusterNode anyNode() {
            return map.node(Maps.id(1 + random.nextInt(nodeCount))).orElseThrow();
        }

        private RangeDescriptor anyRange() {
            return map.ranges()
                    .find(new RangeId(1 + random.nextInt(map.ranges().size())))
                    .orElseThrow();
        }

        void step() {
            ClusterNode node = anyNode();
            switch (random.nextInt(6)) {
                case 0 -> {
                    RangeDescriptor range = anyRange();
                    map =
                            Maps.after(
                                    map,
                                    new MapCommand.UpdateRange(
                                            range.rangeId(),
                                            range.generation(),
                                            range.generation().next(),
                                            anyMembers()));
                }
                case 1 -> {
                    NodeState[] states = NodeState.values();
                    map =
                            Maps.after(
                                    map,
                                    new MapCommand.SetNodeState(
                                            node.nodeId(), states[random.nextInt(states.length)]));
                }
                case 2 ->
                        map =
                                Maps.after(
                                        map,
                                        new MapCommand.RegisterNode(
                                                Maps.node(node.nodeId(), anyZone())));
                case 3 -> leaders.forget(anyRange().rangeId());
                // Late word of one that may be no member, or not know that it leads no more.
                case 4 -> leaders.leads(anyRange().rangeId(), node.nodeId());
                default -> map.nodes().forEach(this::reports);
            }
        }

        private void reports(ClusterNode node) {
            if (random.nextInt(8) == 0) {
                return;
            }
            NodeId id = node.nodeId();
            boolean well = random.nextInt(3) > 0;
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeDescriptor range : map.ranges().inKeyOrder()) {
                boolean held = range.members().contains(id) ? well || any(8) : any(9);
                if (held) {
                    boolean leading = range.members().get(0).equals(id) && any(9) || any(9);
                    replicas.add(replica(range, leading, !well && any(6), !well && any(6)));
                }
            }
            for (NodeReport.Replica replica : replicas) {
                // Now and then it is not what it led last that it tells of.
                if (replica.leading() && !any(12)) {
                    leaders.leads(replica.rangeId(), id);
                }
            }
            int silent = new int[] {0, 0, 0, 0, 0, 10, 500}[random.nextInt(7)];
            heard.put(
                    id,
                    LastReport.next(
                            Optional.ofNullable(heard.get(id)),
                            new NodeReport(
                                    node,
                                    map.clusterId(),
                                    replicas,
                                    !well && any(4) ? Optional.of("a bad block") : Optional.empty(),
                                    false,
                                    List.of(),
                                    List.of(),
                                    DiskSpace.UNKNOWN,
                                    false),
                            NOW.minusSeconds(silent),
                            map.ranges().onNode(id),
                            leaders,
                            heard,
                            false,
                            DiskPolicy.DEFAULT));
        }

        private boolean any(int oneOf) {
            return random.nextInt(oneOf) == 0;
        }

        private NodeReport.Replica replica(
                RangeDescriptor range, boolean leading, boolean joining, boolean damaged) {
            RangeLoad load =
                    new RangeLoad(
                            random.nextInt(4_000),
                            0,
                            0,
                            0,
                            0,
                            Duration.ofSeconds(random.nextInt(30)),
                            RangeLoad.Shape.SPREAD,
                            Optional.empty(),
                            0);
            return new NodeReport.Replica(
                    range.rangeId(),
                    range.generation(),
                    leading,
                    1,
                    1,
                    range.members(),
                    List.of(),
                    joining,
                    random.nextInt(3) * (8L << 30),
                    damaged
                            ? Optional.of(
                                    new NodeReport.Damage("a bad entry", random.nextBoolean()))
                            : Optional.empty(),
                    Optional.empty(),
                    leading && !any(10) ? Optional.of(load) : Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    NodeReport.Rows.AS_ALL);
        }

        ClusterView view(Policy policy) {
            return new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, policy, Map.of());
        }

        /** The same, of which each lead has to be looked at. */
        ClusterView plain(Policy policy) {
            return new ClusterView(
                    map, heard, leaders.byRange(), Instant.EPOCH, NOW, policy, Map.of());
        }
    }

    /** By a look at each range. */
    private static Census looked(ClusterView view, int replicas) {
        List<RangeDescriptor> all = List.copyOf(view.map().ranges().inKeyOrder());
        int withoutLeader = 0;
        int underReplicated = 0;
        int damaged = 0;
        for (RangeDescriptor range : all) {
            withoutLeader += view.leader(range.rangeId()).isEmpty() ? 1 : 0;
            underReplicated += view.healthy(range) < replicas ? 1 : 0;
            for (NodeId member : range.members()) {
                damaged += view.damage(member, range.rangeId()).isPresent() ? 1 : 0;
            }
        }
        return new Census(all, withoutLeader, underReplicated, damaged);
    }

    @Property(tries = 300)
    void incrementalCensusAndPlanEqualFullScan(
            @ForAll @IntRange(min = 1, max = 30) int nodeCount,
            @ForAll @IntRange(min = 1, max = 4) int zones,
            @ForAll @IntRange(min = 1, max = 40) int ranges,
            @ForAll long seed) {
        Random random = new Random(seed);
        Anything anything = new Anything(nodeCount, zones, ranges, random);
        OddRanges kept = new OddRanges();
        for (int step = 0; step < STEPS; step++) {
            int replicas = step == STEPS / 2 ? 1 : 3;
            Policy policy = Policy.DEFAULT.withReplicas(replicas).withSplit(SPLIT);
            ClusterView view = anything.view(policy);
            ClusterView plain = anything.plain(policy);
            Census census = Census.of(view, replicas, kept);
            Census looked = looked(plain, replicas);
            assertThat(census.withoutLeader()).isEqualTo(looked.withoutLeader());
            assertThat(census.underReplicated()).isEqualTo(looked.underReplicated());
            assertThat(census.damagedReplicas()).isEqualTo(looked.damagedReplicas());
            assertThat(census.restless()).doesNotHaveDuplicates();
            for (ClusterNode node : view.map().nodes()) {
                NodeId id = node.nodeId();
                assertThat(view.lastLeads(id)).isEqualTo(plain.lastLeads(id));
                assertThat(view.leading(id)).isEqualTo(plain.leading(id));
                assertThat(view.leadSummary(id)).isEqualTo(plain.leadSummary(id));
            }
            assertThat(
                            Planner.plan(
                                    view,
                                    policy,
                                    census,
                                    LeadershipAsked.NONE,
                                    UnsplittableRanges.NONE))
                    .isEqualTo(
                            Planner.plan(
                                    plain,
                                    policy,
                                    looked,
                                    LeadershipAsked.NONE,
                                    UnsplittableRanges.NONE));
            anything.step();
        }
    }
}
