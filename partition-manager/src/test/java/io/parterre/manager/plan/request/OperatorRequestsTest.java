package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.AccountKey;
import io.parterre.manager.map.AccountName;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.Liveness;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
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
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OperatorRequestsTest {
    private static final Instant NOW = Instant.ofEpochSecond(1_000);
    private static final RangeId R1 = new RangeId(1);
    private static final long APPLIED = 1_000;
    private static final Duration MINUTE = Duration.ofMinutes(1);

    private static ClusterMap map(int nodes, List<List<NodeId>> members) {
        List<ClusterNode> all = new ArrayList<>();
        IntStream.rangeClosed(1, nodes).forEach(n -> all.add(Maps.node(id(n), "")));
        return Maps.of(all, members);
    }

    /** All nodes hold what the map says, but those that are down; first members lead. */
    /** Members that are up, and that their leader does not hear. */
    private final Set<NodeId> unheard = new HashSet<>();

    private ClusterView view(ClusterMap map, Integer... down) {
        return view(map, Map.of(), Policy.DEFAULT, down);
    }

    /**
     * The same.
     *
     * @param matched of followers, how far their logs agree with their leader's; others are level
     */
    private ClusterView view(
            ClusterMap map, Map<NodeId, Long> matched, Policy policy, Integer... down) {
        Map<NodeId, LastReport> heard = new HashMap<>();
        Map<RangeId, NodeId> leaders = new HashMap<>();
        for (ClusterNode node : map.nodes()) {
            if (Set.of(down).stream().anyMatch(n -> id(n).equals(node.nodeId()))) {
                continue;
            }
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
                                APPLIED,
                                APPLIED,
                                range.members(),
                                leads ? followers(range, matched) : List.of(),
                                false));
            }
            heard.put(
                    node.nodeId(),
                    new LastReport(
                            new NodeReport(node, map.clusterId(), replicas),
                            NOW,
                            Map.of(),
                            map.ranges().onNode(node.nodeId())));
        }
        return new ClusterView(map, heard, leaders, NOW.minusSeconds(30), NOW, policy, Map.of());
    }

    private List<NodeReport.Follower> followers(RangeDescriptor range, Map<NodeId, Long> matched) {
        return range.members().stream()
                .skip(1)
                .map(
                        member ->
                                new NodeReport.Follower(
                                        member,
                                        matched.getOrDefault(member, APPLIED),
                                        unheard.contains(member)
                                                ? Duration.ofMinutes(1)
                                                : Duration.ZERO))
                .toList();
    }

    private static final ClusterMap FOUR = map(4, List.of(ids(1, 2, 3), ids(2, 3, 4)));

    @Test
    void leadershipTransferIsAccepted_whenTargetIsHealthyMember() {
        ClusterView view = view(FOUR, 3);
        Verdict.Do done = (Verdict.Do) OperatorRequests.moveLeader(view, R1, id(2));
        assertThat(done.wish()).contains(new Verdict.LeadershipRequest(R1, id(2)));
        assertThat(done.commands()).isEmpty();
        assertThat(Said.of(OperatorRequests.moveLeader(view, R1, id(1))))
                .isEqualTo("done: node n1 leads range 1 already");
        assertThat(Said.of(OperatorRequests.moveLeader(view, R1, id(3))))
                .isEqualTo("refused: node n3 is SILENT there");
        assertThat(Said.of(OperatorRequests.moveLeader(view, R1, id(4))))
                .isEqualTo("refused: node n4 is no member of range 1");
        assertThat(Said.of(OperatorRequests.moveLeader(view, new RangeId(9), id(4))))
                .isEqualTo("not found: range 9 does not exist");
    }

    @Test
    void replicaMoveIsAccepted_whenTargetCanTakeIt() {
        ClusterView view = view(FOUR);
        Verdict.Do done =
                (Verdict.Do)
                        OperatorRequests.moveReplica(
                                view, R1, Optional.of(id(1)), Optional.of(id(4)));
        Move move =
                new Move(
                        R1,
                        Optional.of(id(4)),
                        Optional.of(id(1)),
                        MoveReason.OPERATOR,
                        Generation.FIRST,
                        NOW);
        assertThat(done.commands()).containsExactly(new MapCommand.BeginMove(move));

        assertThat(moved(view, "n4", "n1")).contains("node n4 is no member of range 1");
        assertThat(moved(view, "n1", "n2")).contains("node n2 is a member of range 1");
        assertThat(moved(view, "n1", "n1")).startsWith("invalid: ");
        assertThat(moved(view, "", "")).startsWith("invalid: ");
        assertThat(moved(view, "n1", "")).contains("so this would be undone");
        assertThat(moved(view, "", "n4")).contains("so this would be undone");
        assertThat(moved(view, "n1", "n9")).contains("takes no replicas now");
        assertThat(moved(view(FOUR, 4), "n1", "n4")).contains("takes no replicas now");
        assertThat(moved(view(FOUR, 2, 3), "n1", "n4"))
                .isEqualTo("refused: only 1 of 3 members of the range are healthy");
        assertThat(moved(view(after(FOUR, new MapCommand.BeginMove(move))), "n1", "n4"))
                .isEqualTo("refused: range 1 is being moved, split or merged already");
    }

    private static String moved(ClusterView view, String from, String to) {
        return Said.of(
                OperatorRequests.moveReplica(
                        view,
                        R1,
                        from.isEmpty() ? Optional.empty() : Optional.of(new NodeId(from)),
                        to.isEmpty() ? Optional.empty() : Optional.of(new NodeId(to))));
    }

    @Test
    void drainIsAccepted_whenReplicasHaveSomewhereToGo() {
        ClusterView view = view(FOUR);
        assertThat(Said.of(OperatorRequests.drain(view, id(2), true)))
                .isEqualTo(
                        "done: node n2 goes into state 'draining' (is 'in use'); it transfers the leadership of 1 range;"
                                + " it gives away 2 replicas");
        assertThat(Said.of(OperatorRequests.drain(view, id(2), false)))
                .isEqualTo(
                        "done: node n2 goes into state 'leadership drained' (is 'in use'); it transfers the leadership of 1 range");
        assertThat(Said.of(OperatorRequests.drain(view(FOUR, 4), id(2), true)))
                .startsWith("refused: its replicas can go nowhere: 2 other nodes are in use");
        assertThat(Said.of(OperatorRequests.drain(view, id(9), true)))
                .isEqualTo("not found: node n9 does not exist");
        ClusterMap draining = after(FOUR, new MapCommand.SetNodeState(id(2), NodeState.DRAINING));
        assertThat(Said.of(OperatorRequests.drain(view(draining), id(2), true)))
                .isEqualTo("done: node n2 is draining already");
        assertThat(((Verdict.Do) OperatorRequests.undrain(view(draining), id(2))).commands())
                .containsExactly(new MapCommand.SetNodeState(id(2), NodeState.ACTIVE));
        assertThat(Said.of(OperatorRequests.decommission(view, id(2))))
                .contains("leaves the cluster once it holds nothing");
    }

    @Test
    void disruptionLeaseIsGranted_whenEveryRangeKeepsItsMajority() {
        assertThat(
                        ((Verdict.Do)
                                        OperatorRequests.takeDisruptionLease(
                                                view(FOUR), id(2), MINUTE, ""))
                                .commands())
                .containsExactly(
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(id(2), NOW.plus(MINUTE), ""), NOW));
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(FOUR, 3), id(2), MINUTE, "")))
                .isEqualTo(
                        "refused: range 1 would stand still: 1 of 3 members would be left, healthy"
                                + " and level with the leader");
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(FOUR, 3), id(3), MINUTE, "")))
                .as("it is down already")
                .startsWith("done: ");
        assertThat(
                        Said.of(
                                OperatorRequests.takeDisruptionLease(
                                        view(FOUR), id(2), Duration.ZERO, "")))
                .startsWith("invalid: ");
        ClusterMap leased =
                after(
                        FOUR,
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(id(1), NOW.plusSeconds(1), ""), NOW));
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(leased), id(2), MINUTE, "")))
                .isEqualTo("refused: node n1 holds the disruption permit");
        assertThat(Said.of(OperatorRequests.returnDisruptionLease(view(leased), id(2))))
                .isEqualTo("done: node n2 does not hold the disruption permit");
        assertThat(
                        ((Verdict.Do) OperatorRequests.returnDisruptionLease(view(leased), id(1)))
                                .commands())
                .containsExactly(new MapCommand.ReturnDisruptionLease(id(1)));
    }

    /** A member that is just back may have to get thousands of entries first. */
    @Test
    void disruptionLeaseIsRejected_whileAnotherMemberLags() {
        Map<NodeId, Long> back = Map.of(id(3), APPLIED - 101);
        assertThat(
                        Said.of(
                                OperatorRequests.takeDisruptionLease(
                                        view(FOUR, back, Policy.DEFAULT), id(2), MINUTE, "")))
                .startsWith("refused: range 1 would stand still: 1 of 3 members");
        Map<NodeId, Long> level = Map.of(id(3), APPLIED - 100);
        assertThat(
                        Said.of(
                                OperatorRequests.takeDisruptionLease(
                                        view(FOUR, level, Policy.DEFAULT), id(2), MINUTE, "disk")))
                .startsWith("done: ");
        assertThat(
                        Said.of(
                                OperatorRequests.takeDisruptionLease(
                                        view(FOUR), id(2), MINUTE, "x".repeat(257))))
                .isEqualTo("invalid: reason: 257 characters (expected: at most 256)");
    }

    private static final ClusterMap FIVE = map(5, List.of(ids(1, 2, 3), ids(1, 2, 4)));

    @Test
    void nodeReplacementIsAccepted_whenNodeIsAliveOrDead() {
        MapCommand replaced =
                new MapCommand.SetNodeState(id(1), NodeState.DECOMMISSIONING, Optional.of(id(5)));
        for (ClusterView view : List.of(view(FIVE), view(FIVE, 1))) {
            Verdict.Do done = (Verdict.Do) OperatorRequests.replace(view, id(1), id(5));
            assertThat(done.commands()).containsExactly(replaced);
            assertThat(done.effects())
                    .extracting(Reason::toString)
                    .containsExactly(
                            "node n1 goes into state 'decommissioning' (is 'in use')",
                            "node n5 gets 2 of its replicas",
                            "it leaves the cluster once it holds nothing");
        }
        ClusterView replacing = view(after(FIVE, replaced));
        assertThat(Said.of(OperatorRequests.replace(replacing, id(1), id(5))))
                .isEqualTo("done: node n1 is being replaced by node n5 already");
        assertThat(Said.of(OperatorRequests.replace(replacing, id(1), id(3))))
                .startsWith("done: node n1 goes into state 'decommissioning'");
        assertThat(((Verdict.Do) OperatorRequests.undrain(replacing, id(1))).commands())
                .containsExactly(new MapCommand.SetNodeState(id(1), NodeState.ACTIVE));
        assertThat(((Verdict.Do) OperatorRequests.decommission(replacing, id(1))).commands())
                .as("whichever nodes suit from here on")
                .containsExactly(new MapCommand.SetNodeState(id(1), NodeState.DECOMMISSIONING));
    }

    @Test
    void nodeReplacementIsRejected_whenTargetCannotTakeReplicas() {
        assertThat(Said.of(OperatorRequests.replace(view(FIVE, 5), id(1), id(5))))
                .isEqualTo("refused: node n5 takes no replicas now");
        assertThat(Said.of(OperatorRequests.replace(view(FIVE), id(1), id(9))))
                .isEqualTo("not found: node n9 does not exist");
        assertThat(Said.of(OperatorRequests.replace(view(FIVE), id(1), id(1))))
                .startsWith("invalid: replacement: n1");
        Policy small = Policy.DEFAULT.withReplicasPerNodeMax(1);
        assertThat(Said.of(OperatorRequests.replace(view(FIVE, Map.of(), small), id(1), id(5))))
                .isEqualTo("refused: node n5 has room for 1 more replicas, node n1 holds 2");
        assertThat(Said.of(OperatorRequests.replace(view(FIVE), id(1), id(3))))
                .contains("other nodes get 1, of ranges of which node n3 is a member already");
        assertThat(Said.of(OperatorRequests.replace(view(FIVE, 4, 5), id(1), id(3))))
                .startsWith("refused: node n3 is a member already of 1 of its ranges");
    }

    @Test
    void replicaMoveIsRejected_whenTargetNodeIsFull() {
        Policy small = Policy.DEFAULT.withReplicasPerNodeMax(1);
        assertThat(
                        Said.of(
                                OperatorRequests.moveReplica(
                                        view(FIVE, Map.of(), small),
                                        R1,
                                        Optional.of(id(1)),
                                        Optional.of(id(4)))))
                .isEqualTo("refused: node n4 holds 1 replicas already");
    }

    @Test
    void nodeLosesLeadershipButIsNotDead_whileOnDisruptionLease() {
        ClusterMap leased =
                after(
                        FOUR,
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(id(1), NOW.plusSeconds(100), ""), NOW));
        Plan plan = Planner.plan(view(leased), Policy.DEFAULT);
        assertThat(plan.leads()).containsOnlyKeys(R1);
        Policy strict = Policy.DEFAULT.withLiveness(Duration.ofSeconds(5), Duration.ofSeconds(10));
        ClusterView silent =
                new ClusterView(
                        leased, Map.of(), Map.of(), NOW.minusSeconds(30), NOW, strict, Map.of());
        assertThat(silent.liveness(id(1))).isEqualTo(Liveness.SUSPECT);
        assertThat(silent.liveness(id(2))).isEqualTo(Liveness.DEAD);
    }

    @Test
    void keyRotationIsRejected_whenAccountIsConfigured() {
        AccountName configured = new AccountName("configured");
        AccountName made = new AccountName("made");
        AccountKey key = AccountKey.of(new byte[] {1});
        ClusterMap map =
                after(
                        FOUR,
                        new MapCommand.EnsureAccount(configured, List.of(key), false),
                        new MapCommand.CreateAccount(made, List.of(key)));
        assertThat(Said.of(AccountRequests.create(map, made, key)))
                .isEqualTo("refused: account made exists already");
        assertThat(Said.of(AccountRequests.rotateKey(map, configured, 1, key, true)))
                .isEqualTo("refused: account configured is ruled by the managers' configuration");
        assertThat(Said.of(AccountRequests.rotateKey(map, configured, 1, key, false)))
                .isEqualTo("done: key 1 of account configured is another one");
        assertThat(Said.of(AccountRequests.rotateKey(map, made, 3, key, true)))
                .isEqualTo("invalid: key number: 3 (expected: 1..2)");
        assertThat(Said.of(AccountRequests.suspend(map, made, true, true)))
                .isEqualTo("done: account made can be used no more");
        assertThat(Said.of(AccountRequests.suspend(map, made, false, true)))
                .isEqualTo("done: account made is not suspended already");
        assertThat(Said.of(AccountRequests.suspend(map, new AccountName("nobody"), true, true)))
                .isEqualTo("not found: account nobody does not exist");
    }

    @Test
    void nodeLivenessFollowsSilence_fromReportOrLeadershipStart() {
        Policy policy = Policy.DEFAULT.withLiveness(Duration.ofSeconds(5), Duration.ofSeconds(60));
        Optional<Instant> never = Optional.empty();
        assertThat(Liveness.of(Optional.of(NOW), Instant.EPOCH, NOW, policy))
                .isEqualTo(Liveness.UP);
        assertThat(Liveness.of(Optional.of(NOW), Instant.EPOCH, NOW.plusMillis(4_999), policy))
                .isEqualTo(Liveness.UP);
        assertThat(Liveness.of(Optional.of(NOW), Instant.EPOCH, NOW.plusSeconds(5), policy))
                .isEqualTo(Liveness.SUSPECT);
        assertThat(Liveness.of(Optional.of(NOW), Instant.EPOCH, NOW.plusSeconds(60), policy))
                .isEqualTo(Liveness.DEAD);
        assertThat(Liveness.of(never, NOW, NOW, policy)).isEqualTo(Liveness.SUSPECT);
        assertThat(Liveness.of(never, NOW, NOW.plusSeconds(60), policy)).isEqualTo(Liveness.DEAD);
        assertThat(Liveness.of(Optional.of(NOW), Instant.EPOCH, NOW.minusSeconds(9), policy))
                .as("a clock set back kills nobody")
                .isEqualTo(Liveness.UP);
    }

    @Test
    void disruptionLeaseIsRejected_whenLeaderCannotHearOtherMember() {
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(FOUR), id(2), MINUTE, "")))
                .startsWith("done");
        unheard.add(id(3));
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(FOUR), id(2), MINUTE, "")))
                .startsWith("refused: range 1 would stand still");
    }

    @Test
    void leadershipTransferIsRejected_whenRangeChangesOrTargetDrains() {
        ClusterMap leadershipDrained =
                after(FOUR, new MapCommand.SetNodeState(id(2), NodeState.LEADERSHIP_DRAINED));
        assertThat(Said.of(OperatorRequests.moveLeader(view(leadershipDrained), R1, id(2))))
                .isEqualTo("refused: node n2 takes no leadership now");
        ClusterMap moving =
                after(
                        FOUR,
                        new MapCommand.BeginMove(
                                new Move(
                                        R1,
                                        Optional.of(id(4)),
                                        Optional.of(id(3)),
                                        MoveReason.OPERATOR,
                                        Generation.FIRST,
                                        NOW)));
        assertThat(Said.of(OperatorRequests.moveLeader(view(moving), R1, id(2))))
                .isEqualTo("refused: range 1 is being moved, split or merged already");
    }

    @Test
    void replicaMoveIsRejected_whileRangeIsFoundedOrOldReplicaIsThere() {
        TwoRanges founding = TwoRanges.founding(ids(1, 2, 3));
        assertThat(
                        Said.of(
                                OperatorRequests.moveReplica(
                                        founding.view(),
                                        R1,
                                        Optional.of(id(3)),
                                        Optional.of(id(4)))))
                .isEqualTo("refused: range 1 is being founded");
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.holds(id(4), R1, 1);
        assertThat(
                        Said.of(
                                OperatorRequests.moveReplica(
                                        cluster.view(),
                                        R1,
                                        Optional.of(id(3)),
                                        Optional.of(id(4)))))
                .isEqualTo("refused: node n4 still holds an old replica of range 1");
    }

    /** Five members where three are wanted, so that one may go. */
    @Test
    void replicaRemovalIsRejected_whenTooFewHealthyMembersWouldBeLeft() {
        ClusterMap many = map(5, List.of(ids(1, 2, 3, 4, 5)));
        assertThat(moved(view(many), "n5", ""))
                .isEqualTo("done: range 1 loses its replica on node n5");
        assertThat(moved(view(many, 4, 5), "n3", ""))
                .isEqualTo("refused: too few healthy members would be left");
        assertThat(moved(view(many, 4, 5), "n5", ""))
                .as("one that is down")
                .isEqualTo("done: range 1 loses its replica on node n5");
    }

    @Test
    void nodeRequestsAreRejected_whenNodeIsUnknownOrRemoved() {
        assertThat(Said.of(OperatorRequests.replace(view(FIVE), id(9), id(5))))
                .isEqualTo("not found: node n9 does not exist");
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(view(FIVE), id(9), MINUTE, "")))
                .isEqualTo("not found: node n9 does not exist");
        assertThat(Said.of(OperatorRequests.returnDisruptionLease(view(FIVE), id(9))))
                .isEqualTo("not found: node n9 does not exist");
        ClusterMap without =
                after(
                        FIVE,
                        new MapCommand.SetNodeState(id(5), NodeState.DECOMMISSIONING),
                        new MapCommand.SetNodeState(id(5), NodeState.REMOVED));
        assertThat(Said.of(OperatorRequests.replace(view(without), id(5), id(4))))
                .isEqualTo("refused: node n5 is removed and has no replicas");
        assertThat(Said.of(OperatorRequests.undrain(view(without), id(5))))
                .isEqualTo("refused: node n5 is removed and cannot become in use");
    }

    @Test
    void disruptionLeaseIsRejected_whenRangeHasNoLeader() {
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.holds(id(1), R1, 1);
        assertThat(Said.of(OperatorRequests.takeDisruptionLease(cluster.view(), id(2), MINUTE, "")))
                .isEqualTo(
                        "refused: range 1 would stand still: 0 of 3 members would be left, healthy"
                                + " and level with the leader");
    }

    @Test
    void accountIsCreatedAndSuspended_whenOperatorAsks() {
        AccountName name = new AccountName("made");
        AccountKey key = AccountKey.of(new byte[] {1});
        Verdict.Do created = (Verdict.Do) AccountRequests.create(FOUR, name, key);
        assertThat(created.commands())
                .containsExactly(new MapCommand.CreateAccount(name, List.of(key)));
        assertThat(Said.of(created)).isEqualTo("done: account made is made");
        ClusterMap suspended =
                after(FOUR, created.commands().get(0), new MapCommand.SuspendAccount(name, true));
        assertThat(Said.of(AccountRequests.suspend(suspended, name, false, true)))
                .isEqualTo("done: account made can be used again");
        assertThat(Said.of(AccountRequests.suspend(suspended, name, true, true)))
                .isEqualTo("done: account made is suspended already");
    }
}
