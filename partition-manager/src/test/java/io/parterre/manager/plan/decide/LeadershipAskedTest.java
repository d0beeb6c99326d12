package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.Census;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.OddRanges;
import io.parterre.manager.plan.view.RangeLoad;
import io.parterre.range.Generation;
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
import org.junit.jupiter.api.Test;

/** Six ranges on three nodes, of which the first one leads four. */
class LeadershipAskedTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);

    private final Map<RangeId, NodeId> leaders = new HashMap<>();
    private final Map<RangeId, Integer> operations = new HashMap<>();
    private final ClusterMap map;
    private Instant now = NOW;
    private Optional<NodeId> silent = Optional.empty();

    LeadershipAskedTest() {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= 3; n++) {
            nodes.add(Maps.node(id(n), ""));
        }
        map = Maps.of(nodes, Collections.nCopies(6, ids(1, 2, 3)));
        int[] led = {1, 1, 1, 1, 2, 3};
        for (int i = 0; i < led.length; i++) {
            leaders.put(new RangeId(i + 1), id(led[i]));
            operations.put(new RangeId(i + 1), 10 * (i + 1));
        }
    }

    private ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            List<NodeReport.Replica> replicas = new ArrayList<>();
            for (RangeDescriptor range : map.ranges().inKeyOrder()) {
                replicas.add(replica(range, node.nodeId()));
            }
            boolean reports = silent.filter(node.nodeId()::equals).isEmpty();
            heard.put(
                    node.nodeId(),
                    LastReport.next(
                            Optional.empty(),
                            new NodeReport(node, map.clusterId(), replicas),
                            reports ? now : now.minusSeconds(20),
                            map.ranges().onNode(node.nodeId()),
                            Leaders.of(Map.of()),
                            Map.of(),
                            false,
                            DiskPolicy.DEFAULT));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, now, Policy.DEFAULT, Map.of());
    }

    private NodeReport.Replica replica(RangeDescriptor range, NodeId nodeId) {
        RangeLoad load =
                new RangeLoad(
                        operations.get(range.rangeId()),
                        0,
                        0,
                        0,
                        0,
                        Duration.ofMinutes(1),
                        RangeLoad.Shape.SPREAD,
                        Optional.empty(),
                        0);
        return new NodeReport.Replica(
                range.rangeId(),
                range.generation(),
                nodeId.equals(leaders.get(range.rangeId())),
                1,
                1,
                range.members(),
                List.of(),
                false,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.of(load),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private Plan plan(LeadershipAsked asked) {
        ClusterView view = view();
        return Planner.plan(
                view,
                view.policy(),
                Census.of(view, view.policy().replicas(), new OddRanges()),
                asked,
                UnsplittableRanges.NONE);
    }

    private static Split split(long child, int childLeader) {
        return new Split(
                new RangeId(1),
                List.of(new RangeId(child)),
                Generation.FIRST,
                Optional.empty(),
                Optional.of(id(childLeader)),
                SplitReason.LOAD,
                NOW,
                Optional.empty());
    }

    @Test
    void imbalanceCausesOneTransfer_whileTransferIsPending() {
        Plan first = plan(LeadershipAsked.NONE);
        assertThat(first.leads()).isEqualTo(Map.of(new RangeId(1), id(2)));
        LeadershipAsked asked = LeadershipAsked.NONE.after(first, view());
        // Another range is the coldest now, and would be chosen.
        operations.put(new RangeId(1), 35);
        now = now.plusSeconds(1);
        assertThat(plan(LeadershipAsked.NONE).leads()).containsOnlyKeys(new RangeId(2));
        Plan second = plan(asked);
        assertThat(second.leads()).isEqualTo(first.leads());
        asked = asked.after(second, view());
        leaders.put(new RangeId(1), id(2));
        assertThat(plan(asked).leads()).isEmpty();
        assertThat(asked.after(plan(asked), view()).underWay(view())).isEmpty();
    }

    @Test
    void transferIsDecidedAgain_afterPendingTransferTimesOut() {
        LeadershipAsked asked = LeadershipAsked.NONE.after(plan(LeadershipAsked.NONE), view());
        operations.put(new RangeId(1), 35);
        now = now.plus(LeadershipAsked.WAITED_FOR);
        assertThat(plan(asked).leads()).containsOnlyKeys(new RangeId(2));
    }

    @Test
    void transferTimeoutRestarts_whenItIsDecidedAgain() {
        LeadershipAsked asked = LeadershipAsked.NONE.after(plan(LeadershipAsked.NONE), view());
        now = now.plus(LeadershipAsked.WAITED_FOR);
        Plan again = plan(asked);
        assertThat(again.leads()).containsOnlyKeys(new RangeId(1));
        asked = asked.after(again, view());
        operations.put(new RangeId(1), 35);
        now = now.plusSeconds(1);
        assertThat(plan(asked).leads()).containsOnlyKeys(new RangeId(1));
    }

    @Test
    void pendingTransferIsRetargeted_whenTargetNodeIsSilent() {
        LeadershipAsked asked = LeadershipAsked.NONE.after(plan(LeadershipAsked.NONE), view());
        silent = Optional.of(id(2));
        assertThat(plan(asked).leads()).isEqualTo(Map.of(new RangeId(1), id(3)));
    }

    @Test
    void pendingTransferIsDropped_whenAnotherMemberTakesLeadership() {
        LeadershipAsked asked = LeadershipAsked.NONE.after(plan(LeadershipAsked.NONE), view());
        leaders.put(new RangeId(1), id(3));
        assertThat(plan(asked).leads()).isEmpty();
    }

    @Test
    void splitChildMovesToPlannedLeader_whenFirstTransferFailed() {
        RangeId child = new RangeId(6);
        leaders.put(child, id(1));
        leaders.put(new RangeId(3), id(3));
        leaders.put(new RangeId(2), id(2));
        assertThat(plan(LeadershipAsked.NONE).leads()).isEmpty();
        LeadershipAsked asked = LeadershipAsked.NONE.with(split(6, 3), NOW);
        Plan plan = plan(asked);
        assertThat(plan.leads()).isEqualTo(Map.of(child, id(3)));
        assertThat(plan.left()).noneMatch(left -> left.concerns(child));
        // The same as long as it is not there, and no more once it was.
        asked = asked.after(plan, view());
        now = now.plusSeconds(1);
        assertThat(plan(asked).leads()).isEqualTo(Map.of(child, id(3)));
        leaders.put(child, id(2));
        assertThat(asked.underWay(view())).as("an operator may have had it led there").isEmpty();
        leaders.put(child, id(3));
        asked = asked.after(plan(asked), view());
        leaders.put(child, id(2));
        assertThat(plan(asked).leads()).doesNotContainKey(child);
    }

    @Test
    void childTransferWaits_untilChildAndItsLeaderAreKnown() {
        LeadershipAsked asked = LeadershipAsked.NONE.with(split(7, 3), NOW);
        Plan plan = plan(asked);
        assertThat(plan.leads()).doesNotContainKey(new RangeId(7));
        leaders.put(new RangeId(6), id(1));
        LeadershipAsked known =
                LeadershipAsked.NONE.with(split(6, 3), NOW).after(Plan.NONE, view());
        assertThat(known.underWay(view()))
                .extracting(Decision.TransferLead::to)
                .containsExactly(id(3));
        now = now.plus(LeadershipAsked.WAITED_FOR);
        assertThat(known.underWay(view())).isEmpty();
    }

    @Test
    void transferIsRememberedBetweenRounds_untilAnotherLeaderBegins() {
        Rounds rounds = new Rounds();
        rounds.next(view());
        assertThat(rounds.plan().leads()).containsOnlyKeys(new RangeId(1));
        operations.put(new RangeId(1), 35);
        now = now.plusSeconds(1);
        rounds.next(view());
        assertThat(rounds.plan().leads()).containsOnlyKeys(new RangeId(1));
        rounds.clear();
        assertThat(rounds.plan()).isEqualTo(Plan.NONE);
        rounds.next(view());
        assertThat(rounds.plan().leads()).containsOnlyKeys(new RangeId(2));
    }
}
