package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskLevel;
import io.parterre.disk.DiskSpace;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.explain.NodeExplanation;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Nodes whose disks fill. Disks have 1,000 bytes; a range is led by its first member. */
final class FullDiskTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId FIRST = new RangeId(1);

    private ClusterMap map = map(4, ids(1, 2, 3), ids(2, 1, 3), ids(3, 2, 1));
    private Policy policy = Policy.DEFAULT;
    private final Map<RangeId, Long> bytes = new HashMap<>();
    private final Map<NodeId, DiskSpace> spaces = new TreeMap<>();
    private final Set<NodeId> refusing = new HashSet<>();
    private final Map<NodeId, LastReport> heard = new HashMap<>();

    @SafeVarargs
    private static ClusterMap map(int nodes, List<NodeId>... members) {
        return Maps.of(
                IntStream.rangeClosed(1, nodes).mapToObj(n -> Maps.node(id(n), "")).toList(),
                List.of(members));
    }

    private void used(int node, long permille) {
        spaces.put(id(node), new DiskSpace(1_000 - permille, 1_000));
    }

    private void holds(int range, long size) {
        bytes.put(new RangeId(range), size);
    }

    /** After one report more of each node. */
    private ClusterView view() {
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeId nodeId = node.nodeId();
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeId rangeId : map.ranges().onNode(nodeId)) {
                RangeDescriptor range = map.ranges().find(rangeId).orElseThrow();
                boolean leads = range.members().get(0).equals(nodeId);
                if (leads) {
                    leaders.put(rangeId, nodeId);
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
                                false,
                                bytes.getOrDefault(rangeId, 0L),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                NodeReport.Rows.AS_ALL));
            }
            NodeReport report =
                    new NodeReport(
                            node,
                            map.clusterId(),
                            replicas,
                            Optional.empty(),
                            false,
                            List.of(),
                            List.of(),
                            spaces.getOrDefault(nodeId, DiskSpace.UNKNOWN),
                            refusing.contains(nodeId));
            heard.put(
                    nodeId,
                    LastReport.next(
                            Optional.ofNullable(heard.get(nodeId)),
                            report,
                            NOW,
                            map.ranges().onNode(nodeId),
                            Leaders.of(leaders),
                            heard,
                            false,
                            policy.disk()));
        }
        return new ClusterView(map, heard, leaders, NOW.minusSeconds(30), NOW, policy, Map.of());
    }

    private List<Decision> decided() {
        return Planner.plan(view(), policy).decisions();
    }

    private List<Decision.ChangeMembers> moves() {
        return decided().stream()
                .filter(Decision.ChangeMembers.class::isInstance)
                .map(Decision.ChangeMembers.class::cast)
                .toList();
    }

    /** Those that are made for room alone. */
    private List<RangeId> movedForRoom() {
        return moves().stream()
                .filter(move -> move.reason() == MoveReason.DRAIN)
                .map(Decision.ChangeMembers::rangeId)
                .toList();
    }

    private List<Decision.TransferLead> leads() {
        return decided().stream()
                .filter(Decision.TransferLead.class::isInstance)
                .map(Decision.TransferLead.class::cast)
                .toList();
    }

    @Test
    void nodeTakesMoreAgain_onceTwoPercentBelowTheMark() {
        used(4, 850);
        assertThat(view().takesMore(id(4))).isTrue();
        used(4, 851);
        assertThat(view().takesMore(id(4))).isFalse();
        used(4, 831);
        assertThat(view().takesMore(id(4))).isFalse();
        used(4, 830);
        assertThat(view().takesMore(id(4))).isTrue();
    }

    @Test
    void nodeTakesNothing_whileItRefusesGrowthByItsOwnWord() {
        used(4, 100);
        refusing.add(id(4));
        assertThat(view().takesMore(id(4))).isFalse();
        refusing.clear();
        assertThat(view().takesMore(id(4))).isTrue();
    }

    @Test
    void largestReplicasMove_untilWhatIsOnItsWayIsEnough() {
        IntStream.rangeClosed(1, 4).forEach(node -> used(node, 300));
        used(1, 900);
        holds(1, 10);
        holds(2, 80);
        holds(3, 20);
        assertThat(moves())
                .singleElement()
                .satisfies(
                        move -> {
                            assertThat(move.rangeId()).isEqualTo(new RangeId(2));
                            assertThat(move.add()).contains(id(4));
                            assertThat(move.remove()).contains(id(1));
                            assertThat(move.reason()).isEqualTo(MoveReason.DRAIN);
                            assertThat(move.why())
                                    .asString()
                                    .isEqualTo(
                                            "node n1 has 90 % of its disk in use, node n4 takes"
                                                    + " its place");
                        });
    }

    @Test
    void fewMovesAreMadeAtOnce_whenManyReplicasHaveToGo() {
        IntStream.rangeClosed(1, 4).forEach(node -> used(node, 300));
        used(1, 950);
        IntStream.rangeClosed(1, 3).forEach(range -> holds(range, 5));
        assertThat(moves()).hasSize(policy.movesPerNodeMax());
    }

    @Test
    void eachFullDiskIsRelieved_whenOneRangeIsOnSeveral() {
        IntStream.rangeClosed(1, 4).forEach(node -> used(node, 300));
        used(1, 900);
        used(2, 900);
        IntStream.rangeClosed(1, 3).forEach(range -> holds(range, 90));
        assertThat(moves())
                .extracting(move -> move.remove().orElseThrow())
                .containsExactlyInAnyOrder(id(1), id(2));
    }

    @Test
    void replicaStays_whenItsGoingMakesNoRoom() {
        used(1, 900);
        assertThat(movedForRoom()).isEmpty();
        holds(1, 1);
        assertThat(movedForRoom()).containsExactly(FIRST);
    }

    @Test
    void replicaStays_whenTheOtherDiskWouldBeTooFull() {
        used(1, 900);
        used(4, 700);
        holds(1, 131);
        assertThat(movedForRoom()).isEmpty();
        holds(1, 130);
        assertThat(movedForRoom()).containsExactly(FIRST);
    }

    @Test
    void secondReplicaCountsTheFirst_whenBothGoToOneDisk() {
        used(1, 990);
        used(4, 700);
        holds(1, 100);
        holds(2, 90);
        assertThat(movedForRoom()).containsExactly(FIRST);
    }

    @Test
    void lostReplicaIsNotMadeOnADiskThatItWouldFill() {
        map = map(5, ids(1, 2, 3));
        holds(1, 200);
        used(4, 700);
        used(5, 100);
        view();
        heard.remove(id(3));
        ClusterView view =
                new ClusterView(
                        map,
                        heard,
                        Map.of(FIRST, id(1)),
                        NOW.minusSeconds(999),
                        NOW,
                        policy,
                        Map.of());
        assertThat(Planner.plan(view, policy).changes())
                .singleElement()
                .satisfies(change -> assertThat(change.add()).contains(id(5)));
    }

    @Test
    void balanceFillsNoDisk_whenItsNodeHoldsLess() {
        map =
                map(
                        4,
                        IntStream.rangeClosed(1, 12)
                                .mapToObj(n -> ids(1, 2, 3))
                                .<List<NodeId>>toArray(List[]::new));
        IntStream.rangeClosed(1, 12).forEach(range -> holds(range, 20));
        IntStream.rangeClosed(1, 4).forEach(node -> used(node, 400));
        assertThat(moves()).isNotEmpty().allMatch(move -> move.reason() == MoveReason.BALANCE);
        used(4, 820);
        assertThat(moves()).isEmpty();
    }

    @Test
    void leadsGoToNodesWithRoom_whenDiskIsTooFull() {
        used(1, 900);
        used(2, 900);
        assertThat(leads())
                .isNotEmpty()
                .allSatisfy(
                        lead -> {
                            assertThat(lead.from()).isIn(id(1), id(2));
                            assertThat(lead.to()).isEqualTo(id(3));
                            assertThat(lead.why())
                                    .asString()
                                    .isEqualTo(
                                            "node " + lead.from() + " has 90 % of its disk in use");
                        });
    }

    @Test
    void nothingIsDone_whenAllDisksFillTogether() {
        map = map(3, ids(1, 2, 3), ids(2, 1, 3), ids(3, 2, 1));
        for (int node = 1; node <= 3; node++) {
            used(node, 970);
            refusing.add(id(node));
            holds(node, 300);
        }
        assertThat(decided()).allMatch(Decision.Leave.class::isInstance);
        assertThat(decided())
                .extracting(decision -> decision.why().toString())
                .contains(
                        "node n1 has 97 % of its disk in use and refuses what takes room, no node"
                                + " can take a replica");
    }

    @Test
    void rangeIsNotSplit_whenItsLeadersDiskIsTooFull() {
        holds(1, 2 * policy.split().bytesMax());
        spaces.put(id(1), new DiskSpace(100L << 30, 1_000L << 30));
        // Nor does it move: it would fill the other disk.
        spaces.put(id(4), new DiskSpace(180L << 30, 1_000L << 30));
        assertThat(decided())
                .noneMatch(Decision.Split.class::isInstance)
                .extracting(decision -> decision.why().toString())
                .contains(
                        "it is to be split, but node n1, which leads it, has 90 % of its disk in"
                                + " use");
        spaces.put(id(1), new DiskSpace(900L << 30, 1_000L << 30));
        assertThat(decided()).anyMatch(Decision.Split.class::isInstance);
    }

    @Test
    void drainingNodeComesFirst_whenAnotherDiskIsTooFull() {
        map = Maps.after(map, new MapCommand.SetNodeState(id(2), NodeState.DRAINING));
        used(1, 900);
        IntStream.rangeClosed(1, 3).forEach(range -> holds(range, 10));
        assertThat(moves()).isNotEmpty().allMatch(move -> move.remove().equals(Optional.of(id(2))));
    }

    @Test
    void explanationsTellHowFullTheDiskIs() {
        used(1, 900);
        holds(1, 10);
        ClusterView view = view();
        Plan plan = Planner.plan(view, policy);
        assertThat(NodeExplanation.of(view, plan, map.node(id(1)).orElseThrow()))
                .contains(
                        "nothing new is given to it: it has 90 % of its disk in use, the limit is"
                                + " 85 %");
        assertThat(Explanation.of(view, plan, map.ranges().find(FIRST).orElseThrow()))
                .contains("the node of member n1 has 90 % of its disk in use");
    }

    private static Optional<String> note(LastReport heard, DiskLevel before) {
        return JournalNotes.ofDisk(Optional.of(before), heard).map(entry -> entry.why().toString());
    }

    @Test
    void journalNotesEachLevel_whenItBeginsOrEnds() {
        used(1, 900);
        view();
        LastReport high = heard.get(id(1));
        assertThat(note(high, DiskLevel.OK))
                .contains(
                        "node n1 has 90 % of its disk in use, gets nothing more and gives replicas"
                                + " away");
        assertThat(note(high, DiskLevel.HIGH)).isEmpty();
        refusing.add(id(1));
        view();
        assertThat(note(heard.get(id(1)), DiskLevel.HIGH))
                .contains(
                        "node n1 has 90 % of its disk in use, gets nothing more and refuses what"
                                + " takes room");
        refusing.clear();
        used(1, 500);
        view();
        assertThat(note(heard.get(id(1)), DiskLevel.HIGH))
                .contains("node n1 has 50 % of its disk in use, and takes more again");
        assertThat(JournalNotes.ofDisk(Optional.empty(), heard.get(id(1)))).isEmpty();
    }
}
