package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.Recovery;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a range may go on from what one node holds, and what each is told then. */
class RangeRecoveryTest {
    private static final RangeId LOST = new RangeId(1);
    private static final RangeId NEXT = new RangeId(2);
    private static final Instant NOW = Instant.ofEpochSecond(10_000);
    private static final int DEAD_SECONDS = 600;

    private ClusterMap map =
            Maps.of(
                    List.of(
                            Maps.node(id(1), ""),
                            Maps.node(id(2), ""),
                            Maps.node(id(3), ""),
                            Maps.node(id(4), ""),
                            Maps.node(id(5), "")),
                    List.of(ids(1, 2, 3)));
    private final Map<NodeId, List<NodeReport.Replica>> held = new HashMap<>();
    private final Map<NodeId, Integer> silentSeconds = new HashMap<>();
    private final Map<RangeId, NodeId> leaders = new HashMap<>();

    private void holds(int node, RangeId rangeId, long term, long applied, long last) {
        held.put(id(node), List.of(replica(rangeId, 1, term, applied, last, false)));
    }

    private static NodeReport.Replica replica(
            RangeId rangeId, long generation, long term, long applied, long last, boolean joining) {
        return new NodeReport.Replica(
                rangeId,
                new Generation(generation),
                false,
                applied,
                applied,
                ids(1, 2, 3),
                List.of(),
                joining,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new NodeReport.LogEnd(term, term, last, 0)),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private void leads(int node, RangeId rangeId) {
        leaders.put(rangeId, id(node));
        held.put(
                id(node),
                List.of(
                        new NodeReport.Replica(
                                rangeId,
                                new Generation(2),
                                true,
                                20,
                                20,
                                List.of(id(node)),
                                List.of(),
                                false)));
    }

    private void silent(int node, int seconds) {
        silentSeconds.put(id(node), seconds);
    }

    private void diesWith(int node, long last) {
        holds(node, LOST, 3, 10, last);
        silent(node, DEAD_SECONDS);
    }

    private ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeId nodeId = node.nodeId();
            heard.put(
                    nodeId,
                    LastReport.next(
                            Optional.empty(),
                            new NodeReport(
                                    node, map.clusterId(), held.getOrDefault(nodeId, List.of())),
                            NOW.minusSeconds(silentSeconds.getOrDefault(nodeId, 0)),
                            map.ranges().onNode(nodeId),
                            Leaders.of(Map.of()),
                            Map.of(),
                            true,
                            DiskPolicy.DEFAULT));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, NOW, Policy.DEFAULT, Map.of());
    }

    private Verdict recover(Optional<NodeId> from, boolean accepted) {
        return RangeRecovery.recover(view(), LOST, from, accepted);
    }

    private String refusal(Optional<NodeId> from) {
        return ReasonText.of(((Verdict.Refuse) recover(from, true)).why());
    }

    private void accepted() {
        Verdict.Do done = (Verdict.Do) recover(Optional.empty(), true);
        map = after(map, done.commands().toArray(MapCommand[]::new));
    }

    private List<String> orders() {
        List<String> all = new ArrayList<>();
        for (ClusterNode node : map.nodes()) {
            for (Order order : Orders.forNode(view(), node.nodeId(), Map.of(), 10)) {
                String text = order.toString();
                all.add(node.nodeId() + ": " + text.substring(0, text.indexOf('[')));
            }
        }
        return all;
    }

    /** Only the first member lives, with entries that may have been acknowledged. */
    private void majorityIsLost() {
        holds(1, LOST, 3, 10, 12);
        diesWith(2, 12);
        diesWith(3, 15);
    }

    @Test
    void recoveryIsRejected_whileAMajorityMayBeAlive() {
        majorityIsLost();
        for (int seconds : new int[] {0, 1, 30, 100}) {
            silent(3, seconds);
            assertThat(refusal(Optional.empty()))
                    .as("silent for %s s", seconds)
                    .contains("a majority of range 1 is, or may be, alive: n1 (HEALTHY), n3 (");
        }
        silent(3, DEAD_SECONDS);
        assertThat(recover(Optional.empty(), true)).isInstanceOf(Verdict.Do.class);
    }

    @Test
    void recoveryIsRejected_whileRangeHasALeader() {
        majorityIsLost();
        leads(1, LOST);
        assertThat(refusal(Optional.empty())).isEqualTo("range 1 is led by node n1");
    }

    /** In its log the one that is taken in may be a member already: two of four decide nothing. */
    @Test
    void joiningMemberCountsForMajority_whenRangeIsRecovered() {
        holds(1, LOST, 3, 10, 12);
        holds(2, LOST, 3, 10, 12);
        diesWith(3, 12);
        map =
                after(
                        map,
                        new MapCommand.BeginMove(
                                new Move(
                                        LOST,
                                        Optional.of(id(4)),
                                        Optional.of(id(3)),
                                        MoveReason.REPAIR,
                                        Generation.FIRST,
                                        NOW)));
        assertThat(refusal(Optional.empty())).contains("a majority of range 1");
        silent(4, DEAD_SECONDS);
        accepted();
        assertThat(map.moves()).as("nothing else goes on").isEmpty();
    }

    @Test
    void recoveryIsRejectedListingLosses_untilLossIsAccepted() {
        majorityIsLost();
        assertThat(ReasonText.of(((Verdict.Refuse) recover(Optional.empty(), false)).why()))
                .contains("cannot be undone", "--accept-data-loss");
        RangeRecovery.Survey survey =
                RangeRecovery.survey(view(), LOST, Optional.empty()).orElseThrow();
        assertThat(survey.survivor()).hasValue(id(1));
        assertThat(survey.losses())
                .containsExactly(
                        "the last 2 entries in the log of node n1 are not known to be acknowledged,"
                                + " and are kept",
                        "node n2, last heard 600 s ago, held a log up to entry 12 of term 3, which"
                                + " is not further",
                        "node n3, last heard 600 s ago, held a log up to entry 15 of term 3: at"
                                + " least 3 entries are lost",
                        "what the other members acknowledged without node n1, and what they alone"
                                + " held, is lost");
        assertThat(survey.replicas())
                .extracting(
                        each ->
                                each.nodeId()
                                        + " "
                                        + each.unfit().map(Reason::toString).orElse("fit"))
                .containsExactly("n1 fit", "n2 its node is DEAD", "n3 its node is DEAD");
    }

    @Test
    void recoveryStartsFromLatestLog_whenOperatorNamesNoNode() {
        map = Maps.of(List.copyOf(map.nodes()), List.of(ids(1, 2, 3, 4, 5)));
        holds(1, LOST, 3, 10, 12);
        holds(2, LOST, 4, 9, 11);
        for (int node = 3; node <= 5; node++) {
            diesWith(node, 12);
        }
        assertThat(survivor(Optional.empty())).as("the later term").hasValue(id(2));
        assertThat(survivor(Optional.of(id(1)))).hasValue(id(1));
        holds(1, LOST, 4, 9, 12);
        assertThat(survivor(Optional.empty())).as("the longer one").hasValue(id(1));
        holds(2, LOST, 4, 12, 12);
        assertThat(survivor(Optional.empty())).as("by name").hasValue(id(1));
        assertThat(refusal(Optional.of(id(3))))
                .isEqualTo("the replica of node n3 is of no use: its node is DEAD");
    }

    private Optional<NodeId> survivor(Optional<NodeId> from) {
        return RangeRecovery.survey(view(), LOST, from).orElseThrow().survivor();
    }

    @Test
    void recoveryIsRejected_whenNoReplicaWithDataIsAlive() {
        map = Maps.of(List.copyOf(map.nodes()), List.of(ids(1)));
        diesWith(1, 12);
        assertThat(refusal(Optional.empty()))
                .startsWith("no node that is up holds a replica that the range could go on from")
                .contains("data folder", "backup");
        held.put(id(4), List.of(replica(LOST, 1, 3, 0, 0, true)));
        assertThat(refusal(Optional.empty())).as("one without data").startsWith("no node that is");
        assertThat(Said.of(RangeRecovery.recover(view(), NEXT, Optional.empty(), true)))
                .isEqualTo("not found: range 2 does not exist");
    }

    @Test
    void survivorRestartsRange_beforeOtherReplicasAreRemoved() {
        majorityIsLost();
        accepted();
        RangeDescriptor next = map.ranges().find(NEXT).orElseThrow();
        assertThat(map.ranges().find(LOST)).isEmpty();
        assertThat(next.members()).containsExactly(id(1));
        assertThat(next.generation()).isEqualTo(new Generation(2));
        assertThat(orders()).containsExactly("n1: RecoverRange");
        assertThat(Planner.plan(view(), Policy.DEFAULT).changes()).isEmpty();
        assertThat(RangeRecovery.recover(view(), LOST, Optional.empty(), true))
                .as("asked again")
                .isInstanceOf(Verdict.Do.class);

        // One comes back: what it holds may still be needed.
        silent(2, 0);
        assertThat(orders()).containsExactly("n1: RecoverRange");

        leads(1, NEXT);
        assertThat(orders()).isEmpty();
        Recovery recovery = map.recovery(NEXT).orElseThrow();
        assertThat(Upkeep.due(view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.EndRecovery(recovery));
        map = after(map, new MapCommand.EndRecovery(recovery));
        assertThat(orders()).containsExactly("n2: RemoveReplica");
        silent(3, 0);
        assertThat(orders()).containsExactly("n2: RemoveReplica", "n3: RemoveReplica");
        held.remove(id(2));
        held.remove(id(3));
        assertThat(orders()).isEmpty();
        assertThat(Planner.plan(view(), Policy.DEFAULT).changes())
                .extracting(Decision.ChangeMembers::reason)
                .containsExactly(MoveReason.UNDER_REPLICATED);
    }

    @Test
    void recoveryMovesToAnotherNode_whenSurvivorDiesFirst() {
        majorityIsLost();
        accepted();
        silent(2, 0);
        assertThat(ReasonText.of(((Verdict.Refuse) again()).why()))
                .contains("being recovered already");
        silent(1, DEAD_SECONDS);
        Verdict.Do done = (Verdict.Do) again();
        map = after(map, done.commands().toArray(MapCommand[]::new));
        RangeId third = new RangeId(3);
        assertThat(map.recovery(third).map(Recovery::lostId)).hasValue(LOST);
        assertThat(map.recovery(third).map(Recovery::survivor)).hasValue(id(2));
        assertThat(map.recoveries()).hasSize(1);
        assertThat(map.isRetired(LOST) && map.isRetired(NEXT)).isTrue();
        assertThat(orders()).containsExactly("n2: RecoverRange");
    }

    /** As when its log cannot be read, which nobody knew before. */
    @Test
    void recoveryMovesToAnotherNode_whenSurvivorReportsDamage() {
        majorityIsLost();
        accepted();
        silent(2, 0);
        held.put(id(1), List.of(damaged(LOST, "its log cannot be replayed")));
        assertThat(orders()).as("in vain").isEmpty();
        assertThat(RangeRecovery.survey(view(), NEXT, Optional.empty()).orElseThrow().replicas())
                .extracting(
                        each ->
                                each.nodeId()
                                        + " "
                                        + each.unfit().map(Reason::toString).orElse("fit"))
                .contains("n1 it is damaged: its log cannot be replayed", "n2 fit");
        Verdict.Do done = (Verdict.Do) again();
        map = after(map, done.commands().toArray(MapCommand[]::new));
        assertThat(map.recovery(new RangeId(3)).map(Recovery::survivor)).hasValue(id(2));
        assertThat(orders()).containsExactly("n2: RecoverRange");
    }

    @Test
    void recoveryMovesToAnotherNode_whenSurvivorLosesItsData() {
        majorityIsLost();
        accepted();
        silent(2, 0);
        held.remove(id(1));
        assertThat(again()).as("its disk was replaced").isInstanceOf(Verdict.Do.class);
        held.put(id(1), List.of(damaged(NEXT, "block")));
        assertThat(again()).isInstanceOf(Verdict.Do.class);
        holds(1, NEXT, 3, 10, 12);
        assertThat(again()).as("it is about to lead").isInstanceOf(Verdict.Refuse.class);
    }

    private static NodeReport.Replica damaged(RangeId rangeId, String what) {
        return new NodeReport.Replica(
                rangeId,
                Generation.FIRST,
                false,
                10,
                10,
                ids(1, 2, 3),
                List.of(),
                false,
                0,
                Optional.of(new NodeReport.Damage(what, false)),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    /** What was given up before has nothing to do with it. */
    @Test
    void pendingRecoveryKeepsOnlyReplicasItMayNeed() {
        map = Maps.of(List.copyOf(map.nodes()), List.of(ids(1, 2, 3), ids(1, 2, 3)));
        RangeId other = new RangeId(2);
        holds(1, LOST, 3, 10, 12);
        diesWith(2, 12);
        diesWith(3, 12);
        accepted();
        RangeId next = new RangeId(3);
        leads(1, next);
        map = after(map, new MapCommand.EndRecovery(map.recovery(next).orElseThrow()));
        leaders.clear();
        // The other range is lost as well.
        held.put(id(1), List.of(replica(other, 1, 3, 10, 12, false)));
        Verdict.Do done = (Verdict.Do) RangeRecovery.recover(view(), other, Optional.empty(), true);
        map = after(map, done.commands().toArray(MapCommand[]::new));

        silent(2, 0);
        held.put(
                id(2),
                List.of(replica(LOST, 1, 3, 10, 12, false), replica(other, 1, 3, 10, 12, false)));
        assertThat(Orders.forNode(view(), id(2), Map.of(), 10))
                .extracting(order -> ((Order.RemoveReplica) order).rangeId())
                .containsExactly(LOST);
        assertThat(map.recoveries()).hasSize(1);
    }

    private Verdict again() {
        return RangeRecovery.recover(view(), NEXT, Optional.empty(), true);
    }

    @Test
    void recoveryIsNotRepeated_whileSurvivorIsSilentForSeconds() {
        majorityIsLost();
        accepted();
        silent(2, 0);
        silent(1, 30);
        assertThat(ReasonText.of(((Verdict.Refuse) again()).why()))
                .isEqualTo(
                        "range 2 is being recovered already, from what node n1 holds, which is"
                                + " SUSPECT");
    }

    @Test
    void recoveryIsRejected_whenNodeOfReplicaIsUnwell() {
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.silent.addAll(ids(1, 2));
        cluster.stalled.add(id(3));
        Optional<NodeId> from = Optional.of(id(3));
        assertThat(Said.of(RangeRecovery.recover(cluster.view(), LOST, from, true)))
                .isEqualTo(
                        "refused: the replica of node n3 is of no use: the disk of its node does not"
                                + " answer");
        cluster.storeDamage.put(id(3), "a bad block");
        assertThat(Said.of(RangeRecovery.recover(cluster.view(), LOST, from, true)))
                .isEqualTo(
                        "refused: the replica of node n3 is of no use: its node cannot use its"
                                + " store: a bad block");
    }

    @Test
    void recoveryIsRejected_whileRangeIsFounded() {
        TwoRanges founding = TwoRanges.founding(ids(1, 2, 3));
        assertThat(Said.of(RangeRecovery.recover(founding.view(), LOST, Optional.empty(), true)))
                .isEqualTo("refused: range 1 is being founded");
    }
}
