package io.parterre.manager.plan.view;

import static io.parterre.manager.plan.view.Maps.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.explain.Explanation;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.progress.Order;
import io.parterre.manager.plan.progress.Orders;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Members that come back with less than they had acknowledged, by what the others know. */
class RegressionsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId R1 = new RangeId(1);

    private ClusterMap map = mapOf(3);
    private final Map<NodeId, LastReport> heard = new HashMap<>();
    private final Leaders leaders = new Leaders();
    private final Map<NodeId, Integer> silentSeconds = new HashMap<>();

    private static ClusterMap mapOf(int members) {
        List<ClusterNode> nodes =
                IntStream.rangeClosed(1, members).mapToObj(n -> Maps.node(id(n), "")).toList();
        return Maps.of(nodes, List.of(nodes.stream().map(ClusterNode::nodeId).toList()));
    }

    private static NodeReport.Replica replica(
            boolean leading, long lastIndex, long syncedIndex, NodeReport.Follower... followers) {
        return new NodeReport.Replica(
                R1,
                Generation.FIRST,
                leading,
                lastIndex,
                syncedIndex,
                List.of(),
                List.of(followers),
                false,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.of(new NodeReport.LogEnd(1, 1, lastIndex, syncedIndex)),
                Optional.empty(),
                NodeReport.Rows.AS_ALL);
    }

    private static NodeReport.Follower follower(int node, long matchIndex) {
        return new NodeReport.Follower(id(node), matchIndex, Duration.ZERO);
    }

    private void reports(int node, NodeReport.Replica... replicas) {
        NodeId nodeId = id(node);
        for (NodeReport.Replica replica : replicas) {
            if (replica.leading()) {
                leaders.leads(R1, nodeId);
            }
        }
        heard.put(
                nodeId,
                LastReport.next(
                        Optional.ofNullable(heard.get(nodeId)),
                        new NodeReport(
                                map.node(nodeId).orElseThrow(), map.clusterId(), List.of(replicas)),
                        NOW.minusSeconds(silentSeconds.getOrDefault(nodeId, 0)),
                        map.ranges().onNode(nodeId),
                        leaders,
                        heard,
                        false));
    }

    private ClusterView view() {
        return new ClusterView(map, heard, leaders.byRange(), Instant.EPOCH, NOW, Policy.DEFAULT);
    }

    private List<RangeId> withoutVote(int node) {
        return Regressions.withoutVote(view(), heard.get(id(node)).report());
    }

    private List<Order> orders(int node) {
        return Orders.forNode(view(), id(node), Map.of(), 10);
    }

    private static Order quarantine(long acknowledgedIndex) {
        return new Order.QuarantineReplica(R1, Generation.FIRST, acknowledgedIndex, 0);
    }

    /** The leader has its acknowledgement up to 408, and its log ends at 201. */
    private void thirdIsRolledBack() {
        reports(1, replica(true, 410, 410, follower(2, 410), follower(3, 408)));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 201, 201));
    }

    @Test
    void memberIsQuarantined_whenTwoReportsLackAckedEntries() {
        thirdIsRolledBack();
        assertThat(orders(3)).as("the report may have been under way").isEmpty();
        reports(3, replica(false, 201, 201));
        assertThat(orders(3)).containsExactly(quarantine(408));
        assertThat(orders(2)).isEmpty();
    }

    /** A node of the release before does not know the order. */
    @Test
    void memberIsNotQuarantined_belowTheFeatureLevelForIt() {
        map =
                Maps.after(
                        ClusterMap.EMPTY,
                        new MapCommand.RegisterNode(Maps.node(id(1), "")),
                        new MapCommand.RegisterNode(Maps.node(id(2), "")),
                        new MapCommand.RegisterNode(Maps.node(id(3), "")),
                        new MapCommand.FoundCluster(
                                new ClusterId("c"),
                                List.of(id(1), id(2), id(3)),
                                FeatureLevel.FIRST),
                        new MapCommand.ConfirmRange(R1));
        thirdIsRolledBack();
        reports(3, replica(false, 201, 201));
        assertThat(orders(3)).isEmpty();

        map = Maps.after(map, new MapCommand.RaiseLevel(FeatureLevel.FIRST, FeatureLevel.NEWEST));
        assertThat(orders(3)).containsExactly(quarantine(408));
    }

    @Test
    void memberIsQuarantined_whenItLacksWhatItSyncedItself() {
        reports(1, replica(true, 410, 410));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 410, 405));
        reports(3, replica(false, 404, 404));
        assertThat(orders(3)).containsExactly(quarantine(405));
    }

    /** It has caught up before it reports, but may have forgotten votes. */
    @Test
    void memberIsQuarantined_whenLeaderSawItLackAckedEntries() {
        NodeReport.Follower regressed =
                new NodeReport.Follower(
                        id(3), 410, Duration.ZERO, OptionalLong.of(408), OptionalLong.empty());
        reports(1, replica(true, 410, 410, follower(2, 410), regressed));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).containsExactly(quarantine(408));
        assertThat(withoutVote(3)).as("it has all by now").isEmpty();
    }

    @Test
    void memberIsNotSuspected_whenItsReportWasMadeBeforeItsAck() {
        reports(1, replica(true, 410, 410, follower(2, 410), follower(3, 410)));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 409, 409));
        reports(1, replica(true, 450, 450, follower(2, 450), follower(3, 450)));
        reports(3, replica(false, 449, 449));
        assertThat(orders(3)).isEmpty();
    }

    @Test
    void uncommittedEntriesMayBeLost_whenLeaderAppliedLess() {
        reports(1, replica(true, 400, 400, follower(2, 400), follower(3, 408)));
        reports(2, replica(false, 400, 400));
        reports(3, replica(false, 400, 400));
        reports(3, replica(false, 400, 400));
        assertThat(orders(3)).isEmpty();
    }

    /** Nobody else could bring it the data. */
    @Test
    void memberIsNotQuarantined_whenOthersAreNoMajority() {
        silentSeconds.put(id(2), 300);
        thirdIsRolledBack();
        reports(3, replica(false, 201, 201));
        assertThat(orders(3)).isEmpty();
    }

    @Test
    void memberStaysConfirmed_untilItIsRebuilt() {
        thirdIsRolledBack();
        reports(3, replica(false, 201, 201));
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).as("caught up").containsExactly(quarantine(408));
        reports(3);
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).as("rebuilt").isEmpty();
    }

    private static NodeReport.Follower differing(int node, long differsAt) {
        return new NodeReport.Follower(
                id(node),
                410,
                Duration.ZERO,
                OptionalLong.empty(),
                differsAt == 0 ? OptionalLong.empty() : OptionalLong.of(differsAt));
    }

    private static NodeReport.Replica differing(boolean leading, long differsAt) {
        NodeReport.Replica known = replica(leading, 410, 410);
        return new NodeReport.Replica(
                R1,
                Generation.FIRST,
                leading,
                410,
                410,
                List.of(),
                List.of(),
                false,
                0,
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                known.log(),
                Optional.empty(),
                new NodeReport.Rows(OptionalLong.of(differsAt), OptionalLong.empty()));
    }

    private static Order differs(long index) {
        return new Order.QuarantineReplica(R1, Generation.FIRST, 0, index);
    }

    @Test
    void memberIsQuarantined_whenItsRowsDiffer() {
        reports(1, replica(true, 410, 410, differing(2, 0), differing(3, 405)));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).containsExactly(differs(405));
        assertThat(orders(2)).isEmpty();
        assertThat(withoutVote(3)).as("its log is as good as any").isEmpty();
        assertThat(Explanation.of(view(), Plan.NONE, map.ranges().find(R1).orElseThrow()))
                .anyMatch(reason -> reason.contains("at entry 405 were others"));
    }

    /** The next leader has compared nothing yet. */
    @Test
    void memberIsQuarantined_whenItsRowsDifferedUnderAnEarlierLeader() {
        reports(1, replica(true, 410, 410, differing(2, 0), differing(3, 405)));
        reports(3, replica(false, 410, 410));
        reports(1, replica(false, 410, 410));
        reports(2, replica(true, 410, 410, differing(1, 0), differing(3, 0)));
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).containsExactly(differs(405));
        reports(3);
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).as("rebuilt").isEmpty();
    }

    @Test
    void leaderHandsOverThenIsQuarantined_whenItsRowsDiffer() {
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 410, 410));
        reports(1, differing(true, 405));
        assertThat(orders(1))
                .singleElement()
                .isInstanceOfSatisfying(
                        Order.TransferLead.class,
                        order -> assertThat(order.to()).isIn(id(2), id(3)));
        reports(1, differing(false, 405));
        reports(2, replica(true, 410, 410, differing(1, 0), differing(3, 0)));
        assertThat(orders(1)).containsExactly(differs(405));
    }

    @Test
    void differingMemberIsNotQuarantined_whenOthersAreNoMajority() {
        silentSeconds.put(id(2), 300);
        reports(1, replica(true, 410, 410, differing(2, 0), differing(3, 405)));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 410, 410));
        assertThat(orders(3)).isEmpty();
    }

    /** Of four, two that differ are no odd ones out. */
    @Test
    void oneMemberIsQuarantinedAtMost_whenTwoOfFourDiffer() {
        map = mapOf(4);
        reports(1, replica(true, 410, 410, differing(2, 405), differing(3, 405)));
        for (int node = 2; node <= 4; node++) {
            reports(node, replica(false, 410, 410));
        }
        assertThat(orders(2)).isEmpty();
        assertThat(orders(3)).isEmpty();
    }

    /** The second lacks entries that the first and the third had made a majority for. */
    @Test
    void memberMayNotVote_whenMajorityCouldForgetAckedEntries() {
        reports(1, replica(true, 410, 410, follower(2, 300), follower(3, 408)));
        reports(2, replica(false, 300, 300));
        reports(3, replica(false, 201, 201));
        assertThat(withoutVote(3)).containsExactly(R1);
    }

    @Test
    void memberMayNotVote_whenOtherMemberIsUnknown() {
        reports(1, replica(true, 410, 410, follower(2, 410), follower(3, 408)));
        reports(3, replica(false, 201, 201));
        assertThat(withoutVote(3)).containsExactly(R1);
    }

    /** Any majority has a member with all of it, which gets no vote of one that has less. */
    @Test
    void memberMayVote_whenEveryMajorityHasTheAckedEntries() {
        silentSeconds.put(id(1), 300);
        thirdIsRolledBack();
        assertThat(withoutVote(3)).isEmpty();
    }

    @Test
    void memberOfFiveMayNotVote_whenTwoOthersLack() {
        map = mapOf(5);
        reports(
                1,
                replica(
                        true,
                        410,
                        410,
                        follower(2, 410),
                        follower(3, 408),
                        follower(4, 10),
                        follower(5, 10)));
        reports(2, replica(false, 410, 410));
        reports(3, replica(false, 201, 201));
        reports(4, replica(false, 10, 10));
        reports(5, replica(false, 10, 10));
        assertThat(withoutVote(3)).containsExactly(R1);
    }
}
