package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.LastReport;
import io.parterre.manager.plan.view.NodeReport;
import io.parterre.range.RangeId;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A move from its first order to its last, and what is ordered besides. */
class OrdersTest {
    private final MovingRange cluster = new MovingRange();

    @Test
    void leaderReplicaIsMoved_byJoinAddTransferAndRemoveOrders() {
        cluster.allMembersHold(1, 1);
        assertThat(cluster.orders()).isEmpty();

        Move move = cluster.begin(MoveReason.DRAIN, id(4), id(1));
        cluster.map = after(cluster.map, new MapCommand.SetNodeState(id(1), NodeState.DRAINING));
        assertThat(cluster.orders()).containsExactly("n4: join 1[n1, n2, n3]");

        cluster.holds(4, 1, false, true);
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2, n3, n4]");

        cluster.holds(1, 2, true, false);
        assertThat(cluster.orders()).as("the map has yet to hear of it").isEmpty();

        cluster.rangeBecomes(2, id(1), id(2), id(3), id(4));
        cluster.allMembersHold(2, 1);
        cluster.holds(4, 2, false, true);
        assertThat(cluster.orders()).as("the new replica has no data yet").isEmpty();

        cluster.holds(4, 2, false, false);
        assertThat(cluster.orders()).containsExactly("n1: transfer 2 to n3");

        cluster.allMembersHold(2, 3);
        assertThat(cluster.orders()).containsExactly("n3: change 2[n2, n3, n4]");

        cluster.rangeBecomes(3, id(2), id(3), id(4));
        cluster.holds(3, 3, true, false);
        assertThat(MoveProgress.of(cluster.view(), move)).isEqualTo(new MoveProgress.Done());
        assertThat(cluster.orders()).containsExactly("n1: remove 3");
        cluster.held.remove(id(1));
        assertThat(cluster.orders()).isEmpty();
    }

    @Test
    void lostReplicaLeavesRange_beforeItRejoins() {
        cluster.allMembersHold(1, 1);
        cluster.held.remove(id(3));
        Move move = cluster.begin(MoveReason.REPAIR, id(3), id(3));
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2]");
        cluster.rangeBecomes(2, id(1), id(2));
        cluster.allMembersHold(2, 1);
        assertThat(cluster.orders()).containsExactly("n3: join 2[n1, n2]");
        cluster.holds(3, 2, false, true);
        assertThat(cluster.orders()).containsExactly("n1: change 2[n1, n2, n3]");
        cluster.rangeBecomes(3, id(1), id(2), id(3));
        cluster.allMembersHold(3, 1);
        assertThat(MoveProgress.of(cluster.view(), move)).isEqualTo(new MoveProgress.Done());
    }

    @Test
    void abortedMoveEnds_whenRangeGenerationHasAdvanced() {
        cluster.allMembersHold(1, 1);
        Move move = cluster.begin(MoveReason.REPAIR, id(4), id(3));
        // Its reason is gone: the third member reports again.
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2, n3]");
        assertThat(MoveProgress.of(cluster.view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.ABANDON));
        cluster.rangeBecomes(2, id(1), id(2), id(3));
        cluster.allMembersHold(2, 1);
        cluster.holds(4, 1, false, true);
        assertThat(MoveProgress.of(cluster.view(), move))
                .isInstanceOf(MoveProgress.Pointless.class);
        assertThat(Upkeep.due(cluster.view())).hasSize(1);
        cluster.map = after(cluster.map, Upkeep.due(cluster.view()).get(0).command());
        assertThat(cluster.orders()).containsExactly("n4: remove 2");
    }

    @Test
    void moveContinues_whenMemberAdditionBeatsItsAbort() {
        cluster.allMembersHold(1, 1);
        Move move = cluster.begin(MoveReason.REPAIR, id(4), id(3));
        cluster.rangeBecomes(2, id(1), id(2), id(3), id(4));
        cluster.allMembersHold(2, 1);
        assertThat(MoveProgress.of(cluster.view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.REMOVE));
    }

    @Test
    void moveIsAborted_whenTargetDoesNotJoinInTime() {
        cluster.allMembersHold(1, 1);
        Move move = cluster.begin(MoveReason.BALANCE, id(4), id(3));
        cluster.now = MovingRange.NOW.plus(Policy.DEFAULT.moveGiveUpAfter()).plusSeconds(1);
        assertThat(MoveProgress.of(cluster.view(), move))
                .isEqualTo(new MoveProgress.Going(MoveProgress.Step.ABANDON));
    }

    @Test
    void memberRemovalWaits_whileTooFewOthersAreHealthy() {
        cluster.allMembersHold(1, 1);
        cluster.silentSeconds.put(id(2), 10);
        cluster.begin(MoveReason.OVER_REPLICATED, null, id(3));
        assertThat(cluster.orders()).isEmpty();
        cluster.silentSeconds.clear();
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2]");
    }

    @Test
    void strayReplicaIsRemoved_whenLeaderAndMapAgree() {
        cluster.allMembersHold(1, 1);
        cluster.holds(4, 1, false, false);
        assertThat(cluster.orders()).containsExactly("n4: remove 1");
        cluster.holds(4, 2, false, false);
        assertThat(cluster.orders()).as("it knows more than the map").isEmpty();
        cluster.holds(4, 1, false, false);
        cluster.holds(1, 2, true, false);
        assertThat(cluster.orders()).as("the leader knows more than the map").isEmpty();
        cluster.holds(1, 1, false, false);
        assertThat(cluster.orders()).as("nobody leads").isEmpty();
    }

    @Test
    void leadershipTransferIsOrdered_whenTargetIsHealthyMember() {
        cluster.allMembersHold(1, 1);
        cluster.leads = Map.of(MovingRange.R1, id(2));
        assertThat(cluster.orders()).containsExactly("n1: transfer 1 to n2");
        cluster.silentSeconds.put(id(2), 10);
        assertThat(cluster.orders()).isEmpty();
        cluster.silentSeconds.clear();
        cluster.leads = Map.of(MovingRange.R1, id(4));
        assertThat(cluster.orders()).as("no member").isEmpty();
    }

    @Test
    void replicaIsSilentNotLost_whileItMayStillStart() {
        NodeReport nothing = cluster.report(cluster.map.node(id(3)).orElseThrow());
        List<RangeId> expected = List.of(MovingRange.R1);
        LastReport first =
                MovingRange.next(Optional.empty(), nothing, MovingRange.NOW, expected, false);
        assertThat(healthOfThird(first, MovingRange.NOW)).isEqualTo(Health.SILENT);
        Instant later = MovingRange.NOW.plus(Policy.DEFAULT.suspectAfter());
        LastReport second = MovingRange.next(Optional.of(first), nothing, later, expected, false);
        assertThat(healthOfThird(second, later)).isEqualTo(Health.LOST);

        cluster.holds(3, 1, false, false);
        NodeReport started = cluster.report(cluster.map.node(id(3)).orElseThrow());
        LastReport third = MovingRange.next(Optional.of(second), started, later, expected, false);
        assertThat(healthOfThird(third, later)).isEqualTo(Health.HEALTHY);
        LastReport again = MovingRange.next(Optional.of(third), nothing, later, expected, false);
        assertThat(healthOfThird(again, later)).isEqualTo(Health.SILENT);

        LastReport wiped = MovingRange.next(Optional.of(third), nothing, later, expected, true);
        assertThat(healthOfThird(wiped, later)).as("another data folder").isEqualTo(Health.LOST);
        LastReport unaware = MovingRange.next(Optional.of(third), nothing, later, List.of(), false);
        assertThat(healthOfThird(unaware, later))
                .as("it became a member after its report")
                .isEqualTo(Health.CATCHING_UP);
    }

    private Health healthOfThird(LastReport heard, Instant at) {
        return new ClusterView(
                        cluster.map,
                        Map.of(id(3), heard),
                        Map.of(),
                        Instant.EPOCH,
                        at,
                        Policy.DEFAULT,
                        Map.of())
                .health(MovingRange.R1, id(3));
    }

    @Test
    void damagedReplicaLeavesAndIsRemoved_beforeItRejoins() {
        cluster.allMembersHold(1, 1);
        cluster.damaged(3, 1, false);
        Move move = cluster.begin(MoveReason.REPAIR, id(3), id(3));
        assertThat(cluster.orders()).containsExactly("n1: change 1[n1, n2]");

        cluster.holds(1, 2, true, false);
        assertThat(cluster.orders()).as("the map follows first").isEmpty();
        cluster.rangeBecomes(2, id(1), id(2));
        assertThat(cluster.orders()).containsExactly("n3: remove 2");
        cluster.holds(1, 1, true, false);
        assertThat(cluster.orders()).as("the leader has to agree").isEmpty();

        cluster.holds(1, 2, true, false);
        cluster.held.remove(id(3));
        assertThat(cluster.orders()).containsExactly("n3: join 2[n1, n2]");
        cluster.holds(3, 2, false, true);
        assertThat(cluster.orders()).containsExactly("n1: change 2[n1, n2, n3]");
        cluster.rangeBecomes(3, id(1), id(2), id(3));
        cluster.allMembersHold(3, 1);
        assertThat(MoveProgress.of(cluster.view(), move)).isInstanceOf(MoveProgress.Done.class);
    }

    @Test
    void damagedLeaderTransfersLeadership_beforeItsRepair() {
        cluster.allMembersHold(1, 1);
        cluster.damaged(1, 1, true);
        cluster.begin(MoveReason.REPAIR, id(1), id(1));
        assertThat(cluster.orders()).containsExactly("n1: transfer 1 to n3");
    }

    @Test
    void damagedReplicaIsKept_whenOthersAreNoMajority() {
        cluster.allMembersHold(1, 1);
        cluster.damaged(3, 1, false);
        cluster.begin(MoveReason.REPAIR, id(3), id(3));
        cluster.held.remove(id(2));
        assertThat(cluster.orders()).isEmpty();
        cluster.damaged(2, 1, false);
        assertThat(cluster.orders()).isEmpty();
    }

    @Test
    void moveIsAborted_whenTargetNodeLosesItsStore() {
        cluster.allMembersHold(1, 1);
        cluster.begin(MoveReason.BALANCE, id(4), id(3));
        cluster.withoutStore.add(id(4));
        assertThat(cluster.orders())
                .containsExactlyInAnyOrder("n4: rebuild store", "n1: change 1[n1, n2, n3]");
    }
}
