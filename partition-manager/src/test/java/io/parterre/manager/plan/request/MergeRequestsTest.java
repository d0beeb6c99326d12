package io.parterre.manager.plan.request;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.map.UnconfirmedMaps;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.ReasonText;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeRequestsTest {
    private TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(4, 1, 2));

    private String judge(RangeId left, RangeId right) {
        Verdict verdict = MergeRequests.merge(cluster.view(), left, Optional.ofNullable(right));
        if (verdict instanceof Verdict.Do done) {
            assertThat(done.commands())
                    .containsExactly(
                            new MapCommand.BeginMerge(
                                    new Merge(
                                            LEFT,
                                            RIGHT,
                                            Generation.FIRST,
                                            Generation.FIRST,
                                            MergeReason.OPERATOR,
                                            NOW)));
            return String.join("; ", ReasonText.all(done.effects()));
        }
        return Said.of(verdict);
    }

    @Test
    void mergeRequestListsItsEffects() {
        String effects =
                "range 2 gets a replica on node n3; range 2 loses its replica on node n4;"
                        + " node n1 is to lead range 2;"
                        + " range 1 gets the keys of range 2, which no longer exists";
        assertThat(judge(LEFT, null)).isEqualTo(effects);
        assertThat(judge(LEFT, RIGHT)).isEqualTo(effects);
    }

    @Test
    void mergeRequestIsRejected_whenRangesAreNotAdjacent() {
        assertThat(judge(new RangeId(9), null)).contains("range 9 does not exist");
        assertThat(judge(LEFT, new RangeId(9))).contains("range 9 does not exist");
        assertThat(judge(RIGHT, null)).contains("range 2 is the last one");
        assertThat(judge(RIGHT, LEFT)).contains("right: 1 (expected: none where range 2 ends)");
        assertThat(judge(LEFT, LEFT))
                .contains("right: 1 (expected: 2, which begins where range 1 ends)");
    }

    @Test
    void mergeRequestIsRejected_whileRangeMovesOrMerges() {
        cluster.apply(
                new MapCommand.BeginMove(
                        new Move(
                                RIGHT,
                                Optional.of(id(5)),
                                Optional.of(id(4)),
                                MoveReason.BALANCE,
                                Generation.FIRST,
                                NOW)));
        assertThat(judge(LEFT, null)).contains("range 2 is being moved or split");
        cluster = new TwoRanges(ids(1, 2, 3), ids(4, 1, 2));
        cluster.begin(MergeReason.QUIET);
        assertThat(judge(LEFT, null)).contains("range 1 is being merged already");
    }

    @Test
    void mergeRequestIsRejected_whileRangeIsRecovered() {
        RangeId successor = new RangeId(3);
        cluster.apply(
                new MapCommand.RecoverRange(
                        RIGHT, Generation.FIRST, successor, Generation.FIRST.next(), id(4), NOW));
        assertThat(judge(LEFT, successor)).contains("range 3 is being recovered");
    }

    /** Otherwise a dry run would promise what the map refuses. */
    @Test
    void mergeRequestIsRejected_whileRangeIsFounded() {
        cluster.map = UnconfirmedMaps.with(cluster.map, RIGHT);
        assertThat(judge(LEFT, null)).contains("range 2 is being founded");
    }

    @Test
    void mergeRequestIsRejected_whenRangeIsLeaderlessOrUnhealthy() {
        cluster.drops(id(4), RIGHT);
        assertThat(judge(LEFT, null)).contains("range 2 has no leader now");
        cluster.leads(id(1), RIGHT, 1);
        assertThat(judge(LEFT, null)).contains("only 2 of 3 members of range 2 are healthy");
        cluster.reported();
        cluster.apply(new MapCommand.SetNodeState(id(2), NodeState.LEADERSHIP_DRAINED));
        assertThat(judge(LEFT, null))
                .contains(
                        "node n2 must not get more of range 1: it drains, may be down, or its store,"
                                + " disk or clock is unfit");
    }

    @Test
    void mergeRequestIsRejected_whileRangeIsFrozen() {
        cluster.leadsFrozen(id(4), RIGHT, 1);
        assertThat(judge(LEFT, null)).contains("range 2 is still frozen for another merge");
    }

    @Test
    void mergeRequestIsRejected_whenANodeIsFull() {
        cluster.policy = Policy.DEFAULT.withReplicasPerNodeMax(1);
        assertThat(judge(LEFT, null)).contains("node n3 holds 1 replicas already");
    }
}
