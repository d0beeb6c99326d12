package io.parterre.simulator;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.key.Key;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Merge;
import io.parterre.manager.map.MergeReason;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.SplitReason;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Planner;
import io.parterre.manager.plan.decide.WhatIf;
import io.parterre.manager.plan.explain.JournalNotes;
import io.parterre.manager.plan.policy.Policy;
import io.parterre.manager.plan.policy.PolicyTable;
import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.LoadPeak;
import io.parterre.manager.plan.view.Maps;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What is told beforehand is what the planner does when it comes to it. */
class WhatIfTest {
    /** Under which ranges stay as they are until it is asked what if. */
    private static final Policy UNSPLITTABLE =
            PolicyTable.with(SimCluster.POLICY, Map.of("split.enabled", "false"));

    private static SimCluster cluster(int nodeCount, List<List<NodeId>> members) {
        List<ClusterNode> nodes = new ArrayList<>();
        for (int n = 1; n <= nodeCount; n++) {
            nodes.add(Maps.node(id(n), ""));
        }
        SimCluster cluster = new SimCluster(Maps.of(nodes, members), UNSPLITTABLE, 1);
        run(cluster, 20);
        return cluster;
    }

    private static void run(SimCluster cluster, int seconds) {
        for (int i = 0; i < seconds; i++) {
            cluster.step();
        }
    }

    private static WhatIf.Outcome play(SimCluster cluster, Policy policy, Set<NodeId> down) {
        ClusterView view = cluster.view().copy();
        ClusterMap before = view.map();
        WhatIf.Outcome outcome = WhatIf.play(view, policy, down, 20, () -> true);
        assertThat(cluster.map()).as("nothing is done").isSameAs(before);
        return outcome;
    }

    private static <T extends Decision> List<T> all(WhatIf.Outcome outcome, Class<T> kind) {
        return outcome.rounds().stream()
                .flatMap(round -> round.decisions().stream())
                .filter(kind::isInstance)
                .map(kind::cast)
                .toList();
    }

    private static SimLoad evenly(int partitions, double total) {
        SimLoad load = new SimLoad();
        for (int n = 1; n <= partitions; n++) {
            load.asks(
                    Key.wrap(ByteBuffer.allocate(9).put((byte) 2).putInt(1).putInt(n).array()),
                    total / partitions);
        }
        return load;
    }

    @Test
    void whatIfPlansNoMoves_whenClusterIsHealthy() {
        SimCluster cluster = cluster(3, List.of(ids(1, 2, 3)));
        WhatIf.Outcome outcome = play(cluster, SimCluster.POLICY, Set.of());
        assertThat(outcome.end()).isEqualTo("nothing more would be done");
        assertThat(outcome.rounds()).hasSize(1);
        assertThat(all(outcome, Decision.ChangeMembers.class)).isEmpty();
    }

    @Test
    void whatIfListsSplitsWithReasons_whenPolicyEnablesThem() {
        SimCluster cluster = cluster(3, List.of(ids(1, 2, 3)));
        cluster.isAsked(evenly(500, 9_000));
        run(cluster, 20);
        assertThat(all(play(cluster, UNSPLITTABLE, Set.of()), Decision.Split.class)).isEmpty();

        WhatIf.Outcome outcome = play(cluster, SimCluster.POLICY, Set.of());
        assertThat(all(outcome, Decision.Split.class))
                .singleElement()
                .satisfies(
                        split -> {
                            assertThat(split.rangeId()).isEqualTo(new RangeId(1));
                            assertThat(split.splitPoint()).isPresent();
                            assertThat(split.why()).asString().contains("(limit: 2500)");
                        });
        assertThat(all(outcome, Decision.Leave.class))
                .as("its halves are still hot, and not known well enough")
                .anyMatch(
                        left ->
                                left.cause() == Decision.Cause.NOT_SETTLED
                                        && left.why().toString().startsWith("4500 operations"));
    }

    @Test
    void whatIfListsMerges_whenPolicyEnablesThem() {
        SimCluster cluster =
                cluster(4, List.of(ids(1, 2, 3), ids(1, 2, 3), ids(2, 3, 4), ids(2, 3, 4)));
        cluster.isAsked(evenly(20, 40));
        run(cluster, (int) LoadPeak.WINDOW.toSeconds() + 60);
        Policy merging =
                PolicyTable.with(
                        SimCluster.POLICY, Map.of("merge.enabled", "true", "merge.ageMin", "1m"));
        assertThat(all(play(cluster, SimCluster.POLICY, Set.of()), Decision.Merge.class)).isEmpty();

        WhatIf.Outcome outcome = play(cluster, merging, Set.of());
        List<Decision.Merge> merges = all(outcome, Decision.Merge.class);
        assertThat(merges).isNotEmpty();
        assertThat(merges)
                .as("what was merged was not heard of for long enough")
                .extracting(Decision.Merge::leftId)
                .doesNotHaveDuplicates();
        assertThat(JournalNotes.of(merges.get(0), Instant.EPOCH).ranges())
                .containsExactly(merges.get(0).leftId(), merges.get(0).rightId());
        assertThat(outcome.end()).isEqualTo("nothing more would be done");
    }

    @Test
    void whatIfListsRepairs_whenANodeIsDown() {
        SimCluster cluster =
                cluster(5, List.of(ids(1, 2, 3), ids(1, 2, 4), ids(2, 3, 4), ids(1, 4, 5)));
        WhatIf.Outcome outcome = play(cluster, SimCluster.POLICY, Set.of(id(1)));

        assertThat(outcome.end()).isEqualTo("nothing more would be done");
        assertThat(
                        all(outcome, Decision.ChangeMembers.class).stream()
                                .filter(change -> change.reason() == MoveReason.REPAIR))
                .extracting(Decision.ChangeMembers::rangeId)
                .containsExactlyInAnyOrder(new RangeId(1), new RangeId(2), new RangeId(4));
        assertThat(all(outcome, Decision.ChangeMembers.class))
                .allSatisfy(change -> assertThat(change.add()).isNotEqualTo(change.remove()))
                .noneMatch(change -> change.add().filter(id(1)::equals).isPresent());
        assertThat(outcome.rounds().size()).as("moves are bounded by round").isGreaterThan(1);
    }

    @Test
    void whatIfListsUnrepairableRanges_whenNodesAreDown() {
        SimCluster cluster = cluster(3, List.of(ids(1, 2, 3)));
        assertThat(all(play(cluster, SimCluster.POLICY, Set.of(id(1))), Decision.Leave.class))
                .anyMatch(left -> left.cause() == Decision.Cause.NO_NODE);
        assertThat(
                        all(
                                play(cluster, SimCluster.POLICY, Set.of(id(1), id(2))),
                                Decision.Leave.class))
                .anyMatch(left -> left.cause() == Decision.Cause.NO_MAJORITY);
    }

    @Test
    void whatIfListsReplicaAdditions_whenPolicyWantsMore() {
        SimCluster cluster = cluster(5, List.of(ids(1, 2, 3)));
        WhatIf.Outcome outcome =
                play(
                        cluster,
                        PolicyTable.with(SimCluster.POLICY, Map.of("replicas", "5")),
                        Set.of());
        assertThat(all(outcome, Decision.ChangeMembers.class))
                .hasSize(2)
                .allMatch(change -> change.reason() == MoveReason.UNDER_REPLICATED);
        assertThat(outcome.end()).isEqualTo("nothing more would be done");
    }

    @Test
    void whatIfStops_whenItsTimeIsUp() {
        SimCluster cluster = cluster(3, List.of(ids(1, 2, 3)));
        assertThat(WhatIf.play(cluster.view(), SimCluster.POLICY, Set.of(), 5, () -> false))
                .isEqualTo(new WhatIf.Outcome(List.of(), "there was no time for more"));
    }

    /** It is the same planner: what it says first is what would be decided now. */
    @Test
    void whatIfFirstRoundEqualsThePlannersPlan() {
        SimCluster cluster = cluster(4, List.of(ids(1, 2, 3), ids(1, 2, 3), ids(1, 2, 3)));
        Policy other = SimCluster.POLICY.withReplicasPerNodeMax(2);
        ClusterView view = cluster.view().copy();
        assertThat(WhatIf.play(view, other, Set.of(), 1, () -> true).rounds().get(0).decisions())
                .isEqualTo(Planner.plan(view.under(other), other).decisions());
    }

    @Test
    void whatIfSaysThatMoreMayFollow_whenRoundsRunOut() {
        SimCluster cluster =
                cluster(5, List.of(ids(1, 2, 3), ids(1, 2, 4), ids(2, 3, 4), ids(1, 4, 5)));
        WhatIf.Outcome outcome =
                WhatIf.play(cluster.view().copy(), SimCluster.POLICY, Set.of(id(1)), 1, () -> true);
        assertThat(outcome.rounds()).hasSize(1);
        assertThat(outcome.end()).isEqualTo("more may follow");
    }

    /** The leader at that time has seen what is asked of the range for as long as is needed. */
    @Test
    void whatIfListsSplits_whenLeaderOfHotRangeIsDown() {
        SimCluster cluster = cluster(4, List.of(ids(1, 2, 3)));
        cluster.isAsked(evenly(500, 9_000));
        run(cluster, 20);
        NodeId leader = cluster.view().leader(new RangeId(1)).orElseThrow();
        assertThat(all(play(cluster, SimCluster.POLICY, Set.of(leader)), Decision.Split.class))
                .extracting(Decision.Split::rangeId)
                .containsExactly(new RangeId(1));
    }

    private static List<Decision.ChangeMembers> changes(TwoRanges cluster) {
        Policy policy = PolicyTable.with(cluster.policy, Map.of("replicas", "5"));
        return all(
                WhatIf.play(cluster.view(), policy, Set.of(), 20, () -> true),
                Decision.ChangeMembers.class);
    }

    private static List<Decision.ChangeMembers> additions(TwoRanges cluster, RangeId rangeId) {
        return changes(cluster).stream().filter(each -> each.rangeId().equals(rangeId)).toList();
    }

    @Test
    void whatIfCountsPendingMoveAsDone() {
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.apply(
                new MapCommand.BeginMove(
                        new Move(
                                LEFT,
                                Optional.of(id(4)),
                                Optional.empty(),
                                MoveReason.OPERATOR,
                                Generation.FIRST,
                                NOW)));
        assertThat(additions(cluster, LEFT))
                .extracting(Decision.ChangeMembers::add)
                .containsExactly(Optional.of(id(5)));
        assertThat(additions(cluster, RIGHT)).hasSize(2);
    }

    @Test
    void whatIfCountsPendingSplitAsDone_whenSplitPointIsKnown() {
        RangeId child = new RangeId(3);
        for (Optional<Key> splitPoint :
                List.of(Optional.<Key>empty(), Optional.of(Key.wrap(new byte[] {1})))) {
            TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
            cluster.apply(
                    new MapCommand.BeginSplit(
                            LEFT,
                            Generation.FIRST,
                            splitPoint,
                            Optional.empty(),
                            SplitReason.OPERATOR,
                            NOW,
                            2));
            assertThat(additions(cluster, LEFT)).hasSize(splitPoint.isPresent() ? 2 : 0);
            assertThat(additions(cluster, child)).hasSize(splitPoint.isPresent() ? 2 : 0);
        }
    }

    @Test
    void whatIfCountsPendingMergeAsDone_unlessItIsGivenUp() {
        TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(1, 2, 3));
        cluster.apply(
                new MapCommand.UpdateRange(
                        RIGHT, Generation.FIRST, new Generation(7), ids(1, 2, 3)));
        cluster.reported();
        Merge merge = cluster.begin(MergeReason.OPERATOR);
        assertThat(additions(cluster, LEFT)).hasSize(2);
        assertThat(additions(cluster, RIGHT)).isEmpty();
        cluster.apply(new MapCommand.AbandonMerge(merge, Reason.words("late")));
        assertThat(changes(cluster)).isEmpty();
    }
}
