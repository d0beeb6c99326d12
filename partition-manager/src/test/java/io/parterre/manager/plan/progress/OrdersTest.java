package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.disk.DiskSpace;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.Split;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.policy.DiskPolicy;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Leaders;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.reason.Reason;
import io.parterre.manager.reason.ReasonCode;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A move from its first order to its last, and what is ordered besides. */
class OrdersTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId R1 = new RangeId(1);

    private ClusterMap map =
            Maps.of(
                    List.of(
                            Maps.node(id(1), ""),
                            Maps.node(id(2), ""),
                            Maps.node(id(3), ""),
                            Maps.node(id(4), "")),
                    List.of(ids(1, 2, 3)));
    private final Map<NodeId, NodeReport.Replica> held = new HashMap<>();
    private final Map<NodeId, Integer> silentSeconds = new HashMap<>();
    private final Set<NodeId> withoutStore = new HashSet<>();
    private Map<RangeId, NodeId> leads = Map.of();
    private List<NodeReport.SplitRefusal> refusals = List.of();
    private Instant now = NOW;

    private void damaged(int node, long generation, boolean leading) {
        held.put(
                id(node),
                new NodeReport.Replica(
                        R1,
                        new Generation(generation),
                        leading,
                        1,
                        1,
                        List.of(),
                        leading ? FOLLOWERS : List.of(),
                        false,
                        0,
                        Optional.of(new NodeReport.Damage("a bad entry", leading)),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        NodeReport.Rows.AS_ALL));
    }

    private void holds(int node, long generation, boolean leading, boolean joining) {
        held.put(
                id(node),
                new NodeReport.Replica(
                        R1,
                        new Generation(generation),
                        leading,
                        1,
                        1,
                        List.of(),
                        leading ? FOLLOWERS : List.of(),
                        joining));
    }

    /** The third member is ahead of the second. */
    private static final List<NodeReport.Follower> FOLLOWERS =
            List.of(
                    new NodeReport.Follower(id(2), 5, Duration.ZERO),
                    new NodeReport.Follower(id(3), 9, Duration.ZERO));

    private void allMembersHold(long generation, int leader) {
        held.clear();
        for (NodeId member : range().members()) {
            int n = Integer.parseInt(member.value().substring(1));
            holds(n, generation, n == leader, false);
        }
    }

    private RangeDescriptor range() {
        return map.ranges().find(R1).orElseThrow();
    }

    private ClusterView view() {
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            NodeReport.Replica replica = held.get(node.nodeId());
            if (replica != null && replica.leading()) {
                leaders.put(R1, node.nodeId());
            }
            heard.put(
                    node.nodeId(),
                    next(
                            Optional.empty(),
                            report(node),
                            now.minusSeconds(silentSeconds.getOrDefault(node.nodeId(), 0)),
                            map.ranges().onNode(node.nodeId()),
                            true));
        }
        return new ClusterView(map, heard, leaders, Instant.EPOCH, now, Policy.DEFAULT, Map.of());
    }

    private static LastReport next(
            Optional<LastReport> before,
            NodeReport report,
            Instant at,
            Collection<RangeId> expected,
            boolean afresh) {
        return LastReport.next(
                before,
                report,
                at,
                expected,
                Leaders.of(Map.of()),
                Map.of(),
                afresh,
                DiskPolicy.DEFAULT);
    }

    private NodeReport report(ClusterNode node) {
        return new NodeReport(
                node,
                map.clusterId(),
                Stream.concat(
                                Optional.ofNullable(held.get(node.nodeId())).stream(),
                                told.getOrDefault(node.nodeId(), List.of()).stream())
                        .toList(),
                withoutStore.contains(node.nodeId())
                        ? Optional.of("a bad block")
                        : Optional.empty(),
                false,
                node.nodeId().equals(id(1)) ? refusals : List.of(),
                List.of(),
                DiskSpace.UNKNOWN,
                false);
    }

    /** What each node is told, as "node: order". */
    private List<String> orders() {
        List<String> all = new ArrayList<>();
        for (ClusterNode node : map.nodes()) {
            for (Order order : Orders.forNode(view(), node.nodeId(), leads, 10)) {
                all.add(node.nodeId() + ": " + order.match(new Text()));
            }
        }
        return all;
    }

    private static final class Text implements Order.Cases<String> {
        @Override
        public String host(Order.HostReplica host) {
            return "host " + names(host.nodes());
        }

        @Override
        public String join(Order.JoinReplica join) {
            return "join " + join.range().generation() + names(join.nodes());
        }

        @Override
        public String change(Order.ChangeMembers change) {
            return "change " + change.generation() + names(change.nodes());
        }

        @Override
        public String transfer(Order.TransferLead transfer) {
            return "transfer " + transfer.generation() + " to " + transfer.to();
        }

        @Override
        public String split(Order.SplitRange split) {
            return "split "
                    + split.generation()
                    + " into "
                    + String.join(",", split.childIds().stream().map(RangeId::toString).toList());
        }

        @Override
        public String merge(Order.MergeRanges merge) {
            return "merge "
                    + merge.leftId()
                    + "@"
                    + merge.leftGeneration()
                    + " and "
                    + merge.rightId()
                    + "@"
                    + merge.rightGeneration();
        }

        @Override
        public String thaw(Order.ThawRange thaw) {
            return "thaw " + thaw.rangeId() + "@" + thaw.generation();
        }

        @Override
        public String remove(Order.RemoveReplica remove) {
            return "remove " + remove.generation();
        }

        @Override
        public String rebuildStore(Order.RebuildStore rebuildStore) {
            return "rebuild store";
        }

        @Override
        public String recover(Order.RecoverRange recover) {
            return "recover " + recover.lostId() + " as " + recover.range().rangeId();
        }

        @Override
        public String quarantine(Order.QuarantineReplica quarantine) {
            return "quarantine " + quarantine.generation() + " " + quarantine.acknowledgedIndex();
        }

        private static List<NodeId> names(List<ClusterNode> nodes) {
            return nodes.stream().map(ClusterNode::nodeId).toList();
        }
    }

    private Move begin(MoveReason reason, NodeId add, NodeId remove) {
        Move move =
                new Move(
                        R1,
                        Optional.ofNullable(add),
                        Optional.ofNullable(remove),
                        reason,
                        range().generation(),
                        NOW);
        map = after(map, new MapCommand.BeginMove(move));
        return move;
    }

    private void rangeBecomes(long generation, NodeId... members) {
        map =
                after(
                        map,
                        new MapCommand.UpdateRange(
                                R1,
                                range().generation(),
                                new Generation(generation),
                                List.of(members)));
    }

    @Test
    void leaderReplicaIsMoved_byJoinAddTransferAndRemoveOrders() {
        allMembersHold(1, 1);
        assertThat(orders()).isEmpty();

        Move move = begin(MoveReason.DRAIN, id(4), id(1));
        map = after(map, new MapCommand.SetNodeState(id(1), NodeState.DRAINING));
        assertThat(orders()).containsExactly("n4: join 1[n1, n2, n3]");

        holds(4, 1, false, true);
        assertThat(orders()).containsExactly("n1: change 1[n1, n2, n3, n4]");

        holds(1, 2, true, false);
        assertThat(orders()).as("the map has yet to hear of it").isEmpty();

        rangeBecomes(2, id(1), id(2), id(3), id(4));
        allMembersHold(2, 1);
        holds(4, 2, false, true);
        assertThat(orders()).as("the new replica has no data yet").isEmpty();

        holds(4, 2, false, false);
        assertThat(orders()).containsExactly("n1: transfer 2 to n3");

        allMembersHold(2, 3);
        assertThat(orders()).containsExactly("n3: change 2[n2, n3, n4]");

        rangeBecomes(3, id(2), id(3), id(4));
        holds(3, 3, true, false);
        assertThat(MoveProgress.of(view(), move)).isEqualTo(new MoveProgress.Done());
        assertThat(orders()).containsExactly("n1: remove 3");
        held.remove(id(1));
        assertThat(orders()).isEmpty();
    }

    @Test
    void lostReplicaLeavesRange_beforeItRejoins() {
        allMembersHold(1, 1);
        held.remove(id(3));
        Move move = begin(MoveReason.REPAIR, id(3), id(3));
        assertThat(orders()).containsExactly("n1: change 1[n1, n2]");
        rangeBecomes(2, id(1), id(2));
        allMembersHold(2, 1);
        assertThat(orders()).containsExactly("n3: join 2[n1, n2]");
        holds(3, 2, false, true);
        assertThat(orders()).containsExactly("n1: change 2[n1, n2, n3]");
        rangeBecomes(3, id(1), id(2), id(3));
        allMembersHold(3, 1);
        assertThat(MoveProgress.of(view(), move)).isEqualTo(new MoveProgress.Done());
    }

    @Test
    void abortedMoveEnds_whenRangeGenerationHasAdvanced() {
        allMembersHold(1, 1);
        Move move = begin(MoveReason.REPAIR, id(4), id(3));
        // Its reason is gone: the third member reports again.
        assertThat(orders()).containsExactly("n1: change 1[n1, n2, n3]");
        assertThat(MoveProgress.of(view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.ABANDON));
        rangeBecomes(2, id(1), id(2), id(3));
        allMembersHold(2, 1);
        holds(4, 1, false, true);
        assertThat(MoveProgress.of(view(), move)).isInstanceOf(MoveProgress.Pointless.class);
        assertThat(Upkeep.due(view())).hasSize(1);
        map = after(map, Upkeep.due(view()).get(0).command());
        assertThat(orders()).containsExactly("n4: remove 2");
    }

    @Test
    void moveContinues_whenMemberAdditionBeatsItsAbort() {
        allMembersHold(1, 1);
        Move move = begin(MoveReason.REPAIR, id(4), id(3));
        rangeBecomes(2, id(1), id(2), id(3), id(4));
        allMembersHold(2, 1);
        assertThat(MoveProgress.of(view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.REMOVE));
    }

    @Test
    void moveIsAborted_whenTargetDoesNotJoinInTime() {
        allMembersHold(1, 1);
        Move move = begin(MoveReason.BALANCE, id(4), id(3));
        now = NOW.plus(Policy.DEFAULT.moveGiveUpAfter()).plusSeconds(1);
        assertThat(MoveProgress.of(view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.ABANDON));
    }

    @Test
    void memberRemovalWaits_whileTooFewOthersAreHealthy() {
        allMembersHold(1, 1);
        silentSeconds.put(id(2), 10);
        begin(MoveReason.OVER_REPLICATED, null, id(3));
        assertThat(orders()).isEmpty();
        silentSeconds.clear();
        assertThat(orders()).containsExactly("n1: change 1[n1, n2]");
    }

    @Test
    void strayReplicaIsRemoved_whenLeaderAndMapAgree() {
        allMembersHold(1, 1);
        holds(4, 1, false, false);
        assertThat(orders()).containsExactly("n4: remove 1");
        holds(4, 2, false, false);
        assertThat(orders()).as("it knows more than the map").isEmpty();
        holds(4, 1, false, false);
        holds(1, 2, true, false);
        assertThat(orders()).as("the leader knows more than the map").isEmpty();
        holds(1, 1, false, false);
        assertThat(orders()).as("nobody leads").isEmpty();
    }

    @Test
    void leadershipTransferIsOrdered_whenTargetIsHealthyMember() {
        allMembersHold(1, 1);
        leads = Map.of(R1, id(2));
        assertThat(orders()).containsExactly("n1: transfer 1 to n2");
        silentSeconds.put(id(2), 10);
        assertThat(orders()).isEmpty();
        silentSeconds.clear();
        leads = Map.of(R1, id(4));
        assertThat(orders()).as("no member").isEmpty();
    }

    @Test
    void replicaIsSilentNotLost_whileItMayStillStart() {
        NodeReport nothing = report(map.node(id(3)).orElseThrow());
        List<RangeId> expected = List.of(R1);
        LastReport first = next(Optional.empty(), nothing, NOW, expected, false);
        assertThat(healthOfThird(first, NOW)).isEqualTo(Health.SILENT);
        Instant later = NOW.plus(Policy.DEFAULT.suspectAfter());
        LastReport second = next(Optional.of(first), nothing, later, expected, false);
        assertThat(healthOfThird(second, later)).isEqualTo(Health.LOST);

        holds(3, 1, false, false);
        NodeReport started = report(map.node(id(3)).orElseThrow());
        LastReport third = next(Optional.of(second), started, later, expected, false);
        assertThat(healthOfThird(third, later)).isEqualTo(Health.HEALTHY);
        LastReport again = next(Optional.of(third), nothing, later, expected, false);
        assertThat(healthOfThird(again, later)).isEqualTo(Health.SILENT);

        LastReport wiped = next(Optional.of(third), nothing, later, expected, true);
        assertThat(healthOfThird(wiped, later)).as("another data folder").isEqualTo(Health.LOST);
        LastReport unaware = next(Optional.of(third), nothing, later, List.of(), false);
        assertThat(healthOfThird(unaware, later))
                .as("it became a member after its report")
                .isEqualTo(Health.CATCHING_UP);
    }

    private Health healthOfThird(LastReport heard, Instant at) {
        return new ClusterView(
                        map,
                        Map.of(id(3), heard),
                        Map.of(),
                        Instant.EPOCH,
                        at,
                        Policy.DEFAULT,
                        Map.of())
                .health(R1, id(3));
    }

    @Test
    void emptyReplicaIsHosted_untilItsRangeIsConfirmed() {
        ClusterMap fresh = ClusterMap.EMPTY;
        for (int n = 1; n <= 3; n++) {
            fresh = after(fresh, new MapCommand.RegisterNode(Maps.node(id(n), "")));
        }
        map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        allMembersHold(1, 1);
        held.remove(id(3));
        assertThat(orders()).containsExactly("n3: host [n1, n2, n3]");
        assertThat(Upkeep.due(view())).isEmpty();
        holds(3, 1, false, false);
        assertThat(Upkeep.due(view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(R1));
        map = after(map, new MapCommand.ConfirmRange(R1));
        held.remove(id(3));
        assertThat(orders()).as("an empty log must not vote").isEmpty();
        assertThat(view().health(R1, id(3))).isEqualTo(Health.LOST);
    }

    @Test
    void rangeConfirmationProceeds_whenBootstrapMemberIsDead() {
        ClusterMap fresh = ClusterMap.EMPTY;
        for (int n = 1; n <= 3; n++) {
            fresh = after(fresh, new MapCommand.RegisterNode(Maps.node(id(n), "")));
        }
        map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        allMembersHold(1, 1);
        held.remove(id(3));
        silentSeconds.put(id(3), 500);
        assertThat(Upkeep.due(view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(R1));
    }

    private static ClusterNode inFolder(int node, String incarnation) {
        ClusterNode plain = Maps.node(id(node), "");
        return new ClusterNode(
                plain.nodeId(),
                plain.serviceAddress(),
                plain.raftAddress(),
                plain.zone(),
                plain.version(),
                incarnation,
                NodeState.ACTIVE);
    }

    @Test
    void bootstrapMemberIsNotHostedAgain_afterItLosesItsDisk() {
        ClusterMap fresh = ClusterMap.EMPTY;
        for (int n = 1; n <= 3; n++) {
            fresh = after(fresh, new MapCommand.RegisterNode(inFolder(n, "first")));
        }
        map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        // The first two have it, and acknowledge writes; the third has not started yet.
        allMembersHold(1, 1);
        held.remove(id(3));
        map = after(map, new MapCommand.RegisterNode(inFolder(2, "second")));
        held.remove(id(2));

        assertThat(orders())
                .as("with the third its empty log would be a majority")
                .containsExactly("n3: host [n1, n2, n3]");
        assertThat(Upkeep.due(view())).isEmpty();

        holds(3, 1, false, false);
        assertThat(view().health(R1, id(2))).isEqualTo(Health.LOST);
        assertThat(Upkeep.due(view()))
                .as("what is lost is for the planner from here on")
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(R1));
    }

    private Split beginSplit() {
        return beginSplit(2);
    }

    private Split beginSplit(int parts) {
        map =
                after(
                        map,
                        new MapCommand.BeginSplit(
                                R1,
                                range().generation(),
                                Optional.empty(),
                                Optional.empty(),
                                SplitReason.OPERATOR,
                                NOW,
                                parts));
        return map.split(R1).orElseThrow();
    }

    /** The leader reports bounds of its own. */
    private void leaderHas(long generation, KeyRange bounds) {
        held.put(id(1), leading(R1, generation, bounds));
    }

    private NodeReport.Replica leading(RangeId rangeId, long generation, KeyRange bounds) {
        return new NodeReport.Replica(
                rangeId,
                new Generation(generation),
                true,
                1,
                1,
                range().members(),
                FOLLOWERS,
                false,
                0,
                Optional.empty(),
                Optional.of(bounds),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private List<Optional<MapCommand>> news() {
        return Upkeep.news(view(), report(map.node(id(1)).orElseThrow())).stream()
                .map(Upkeep.News::command)
                .toList();
    }

    @Test
    void splitCompletes_whenLeaderReportsItsNewBounds() {
        allMembersHold(1, 1);
        Split split = beginSplit();
        assertThat(orders()).containsExactly("n1: split 1 into 2");
        assertThat(Upkeep.due(view())).isEmpty();
        leads = Map.of(R1, id(2));
        assertThat(orders()).as("no other change meanwhile").containsExactly("n1: split 1 into 2");

        Key splitPoint = Key.copyOf(new byte[] {7});
        leaderHas(2, new KeyRange(Key.FIRST, splitPoint));
        assertThat(orders()).as("the map has yet to hear of it").isEmpty();
        MapCommand told =
                new MapCommand.CompleteSplit(split, splitPoint, new Generation(2), ids(1, 2, 3));
        assertThat(news()).containsExactly(Optional.of(told));
        map = after(map, told);
        assertThat(map.splits()).isEmpty();
        assertThat(map.ranges().find(new RangeId(2)).orElseThrow().bounds())
                .isEqualTo(new KeyRange(splitPoint, Key.LAST));
        assertThat(map.isConfirmed(new RangeId(2)))
                .as("its replicas are never made from nothing")
                .isTrue();
        assertThat(news()).isEmpty();
    }

    private static final Key FIRST_SPLIT_POINT = Key.copyOf(new byte[] {7});
    private static final Key SECOND_SPLIT_POINT = Key.copyOf(new byte[] {8});
    private static final RangeId R2 = new RangeId(2);
    private static final RangeId R3 = new RangeId(3);
    private final Map<NodeId, List<NodeReport.Replica>> told = new HashMap<>();

    /** Leads a part that the map does not know of. */
    private void tells(int node, RangeId rangeId, Key start, Key end) {
        told.put(id(node), List.of(leading(rangeId, 2, new KeyRange(start, end))));
    }

    @Test
    void multiWaySplitIsRecorded_whenReportedChildrenCoverIt() {
        allMembersHold(1, 1);
        Split split = beginSplit(4);
        assertThat(orders()).containsExactly("n1: split 1 into 2,3,4");
        leaderHas(2, new KeyRange(Key.FIRST, FIRST_SPLIT_POINT));
        assertThat(news()).as("nobody has told where the children end").isEmpty();
        tells(1, R2, FIRST_SPLIT_POINT, SECOND_SPLIT_POINT);
        assertThat(news()).isEmpty();
        tells(3, R3, SECOND_SPLIT_POINT, Key.LAST);
        // There was no place for the fourth.
        MapCommand splitPoint =
                new MapCommand.CompleteSplit(
                        split,
                        List.of(FIRST_SPLIT_POINT, SECOND_SPLIT_POINT),
                        new Generation(2),
                        ids(1, 2, 3));
        assertThat(news()).containsExactly(Optional.of(splitPoint));
        map = after(map, splitPoint);
        assertThat(map.splits()).isEmpty();
        assertThat(map.ranges().inKeyOrder())
                .extracting(range -> range.rangeId().value())
                .containsExactly(1L, 2L, 3L);
        assertThat(map.nextRangeId())
                .as("what was not needed is not used")
                .isEqualTo(new RangeId(5));
        assertThat(news()).isEmpty();
    }

    /** Whoever does not know of further children makes one. */
    @Test
    void multiWaySplitBecomesTwoWay_whenServerMakesOneChild() {
        allMembersHold(1, 1);
        Split split = beginSplit(4);
        leaderHas(2, new KeyRange(Key.FIRST, FIRST_SPLIT_POINT));
        tells(2, R2, FIRST_SPLIT_POINT, Key.LAST);
        assertThat(news())
                .containsExactly(
                        Optional.of(
                                new MapCommand.CompleteSplit(
                                        split,
                                        FIRST_SPLIT_POINT,
                                        new Generation(2),
                                        ids(1, 2, 3))));
    }

    @Test
    void rejectedSplitEnds_whenRangeGenerationHasAdvanced() {
        allMembersHold(1, 1);
        Split split = beginSplit();
        refusals = List.of(new NodeReport.SplitRefusal(split.childId(), "no split point"));
        assertThat(orders()).isEmpty();
        MapCommand abandon =
                new MapCommand.AbandonSplit(split, ReasonCode.LEADER_REFUSED.of("no split point"));
        assertThat(Upkeep.due(view())).extracting(Upkeep.Chore::command).containsExactly(abandon);
        map = after(map, abandon);
        refusals = List.of();
        assertThat(orders()).containsExactly("n1: change 1[n1, n2, n3]");
        assertThat(Upkeep.due(view())).as("a split may be on its way").isEmpty();
        assertThat(after(map, new MapCommand.EndSplit(split)).splits()).hasSize(1);

        rangeBecomes(2, id(1), id(2), id(3));
        allMembersHold(2, 1);
        assertThat(Upkeep.due(view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.EndSplit(map.split(R1).orElseThrow()));
    }

    @Test
    void splitIsAborted_whenTimeoutPasses() {
        allMembersHold(1, 1);
        beginSplit();
        now = NOW.plus(SplitProgress.GIVE_UP_AFTER).plusMillis(1);
        assertThat(orders()).isEmpty();
        map = after(map, Upkeep.due(view()).get(0).command());
        assertThat(orders()).containsExactly("n1: change 1[n1, n2, n3]");
    }

    @Test
    void splitIsRecorded_whenItBeatsItsAbort() {
        allMembersHold(1, 1);
        Split split = beginSplit();
        map = after(map, new MapCommand.AbandonSplit(split, Reason.words("late")));
        leaderHas(2, new KeyRange(Key.FIRST, Key.copyOf(new byte[] {7})));
        map = after(map, news().get(0).orElseThrow());
        assertThat(map.ranges().size()).isEqualTo(2);
        assertThat(map.splits()).isEmpty();
    }

    @Test
    void damagedReplicaLeavesAndIsRemoved_beforeItRejoins() {
        allMembersHold(1, 1);
        damaged(3, 1, false);
        Move move = begin(MoveReason.REPAIR, id(3), id(3));
        assertThat(orders()).containsExactly("n1: change 1[n1, n2]");

        holds(1, 2, true, false);
        assertThat(orders()).as("the map follows first").isEmpty();
        rangeBecomes(2, id(1), id(2));
        assertThat(orders()).containsExactly("n3: remove 2");
        holds(1, 1, true, false);
        assertThat(orders()).as("the leader has to agree").isEmpty();

        holds(1, 2, true, false);
        held.remove(id(3));
        assertThat(orders()).containsExactly("n3: join 2[n1, n2]");
        holds(3, 2, false, true);
        assertThat(orders()).containsExactly("n1: change 2[n1, n2, n3]");
        rangeBecomes(3, id(1), id(2), id(3));
        allMembersHold(3, 1);
        assertThat(MoveProgress.of(view(), move)).isInstanceOf(MoveProgress.Done.class);
    }

    @Test
    void damagedLeaderTransfersLeadership_beforeItsRepair() {
        allMembersHold(1, 1);
        damaged(1, 1, true);
        begin(MoveReason.REPAIR, id(1), id(1));
        assertThat(orders()).containsExactly("n1: transfer 1 to n3");
    }

    @Test
    void damagedReplicaIsKept_whenOthersAreNoMajority() {
        allMembersHold(1, 1);
        damaged(3, 1, false);
        begin(MoveReason.REPAIR, id(3), id(3));
        held.remove(id(2));
        assertThat(orders()).isEmpty();
        damaged(2, 1, false);
        assertThat(orders()).isEmpty();
    }

    @Test
    void moveIsAborted_whenTargetNodeLosesItsStore() {
        allMembersHold(1, 1);
        begin(MoveReason.BALANCE, id(4), id(3));
        withoutStore.add(id(4));
        assertThat(orders())
                .containsExactlyInAnyOrder("n4: rebuild store", "n1: change 1[n1, n2, n3]");
    }
}
