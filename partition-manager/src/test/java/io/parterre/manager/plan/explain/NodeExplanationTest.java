package io.parterre.manager.plan.explain;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.DisruptionLease;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.Move;
import io.parterre.manager.map.MoveReason;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.decide.Decision;
import io.parterre.manager.plan.decide.Plan;
import io.parterre.manager.plan.view.TwoRanges;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class NodeExplanationTest {
    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(2, 1, 3));

    private List<String> explained(int node, Decision... decisions) {
        return NodeExplanation.of(
                cluster.view(),
                new Plan(List.of(decisions)),
                cluster.map.node(id(node)).orElseThrow());
    }

    @Test
    void nodeExplanationCountsReplicasAndLeads() {
        assertThat(explained(1))
                .containsExactly(
                        "it is UP, silent for 0 s, and ACTIVE",
                        "it holds 2 replicas and leads 1",
                        "it takes more");
        assertThat(explained(3))
                .containsExactly(
                        "it is UP, silent for 0 s, and ACTIVE",
                        "it holds 2 replicas and leads 0",
                        "it takes more");
        assertThat(explained(5)).contains("it holds 0 replicas and leads 0");
    }

    @Test
    void nodeExplanationSaysWhyNothingNewIsGivenToIt() {
        cluster.storeDamage.put(id(1), "a bad block");
        assertThat(explained(1)).contains("nothing new is given to it: it cannot use its store");
        cluster.stalled.add(id(2));
        assertThat(explained(2)).contains("nothing new is given to it: its disk does not answer");
        cluster.apply(
                new MapCommand.TakeDisruptionLease(
                        new DisruptionLease(id(3), NOW.plusSeconds(60), ""), NOW));
        assertThat(explained(3))
                .contains("nothing new is given to it: it holds the disruption permit");
        cluster.apply(new MapCommand.SetNodeState(id(4), NodeState.DRAINING));
        assertThat(explained(4))
                .contains("it is UP, silent for 0 s, and DRAINING", "nothing new is given to it");
        cluster.silent.add(id(5));
        cluster.leadSince = NOW.minusSeconds(30);
        assertThat(explained(5))
                .contains(
                        "it is SUSPECT, silent for 30 s, and ACTIVE", "nothing new is given to it");
    }

    @Test
    void nodeExplanationStatesReplicaLimit_whenNodeIsFull() {
        cluster.policy = cluster.policy.withReplicasPerNodeMax(2);
        assertThat(explained(1)).contains("it gets no more replicas, the limit is 2");
        assertThat(explained(4)).noneMatch(reason -> reason.contains("limit"));
    }

    @Test
    void nodeExplanationListsMoves_whenNodeGainsOrLosesReplica() {
        cluster.apply(
                new MapCommand.BeginMove(
                        new Move(
                                LEFT,
                                Optional.of(id(4)),
                                Optional.of(id(3)),
                                MoveReason.OPERATOR,
                                Generation.FIRST,
                                NOW)));
        String move =
                "a move of range 1 is under way because of OPERATOR, node n4 has to make a"
                        + " replica";
        assertThat(explained(3)).contains(move);
        assertThat(explained(4)).contains(move);
        assertThat(explained(1)).doesNotContain(move);
    }

    private static Decision.Leave left(String why) {
        return new Decision.Leave(Optional.of(LEFT), Decision.Cause.NO_NODE, Reason.words(why));
    }

    @Test
    void nodeExplanationListsDecisions_aboutItselfOrItsRanges() {
        Decision[] decisions = {
            new Decision.TransferLead(RIGHT, id(2), id(1), Reason.words("n2 leads more")),
            left("3 nodes"),
            new Decision.Leave(Optional.empty(), Decision.Cause.BALANCED, Reason.words("even")),
        };
        assertThat(explained(1, decisions))
                .endsWith(
                        "range 2, decided: n2 leads more",
                        "range 1 is left alone, NO_NODE: 3 nodes",
                        "of the cluster: even");
        assertThat(explained(3, decisions))
                .endsWith(
                        "it takes more",
                        "range 1 is left alone, NO_NODE: 3 nodes",
                        "of the cluster: even");
        assertThat(explained(5, decisions)).endsWith("it takes more", "of the cluster: even");
    }

    @Test
    void nodeExplanationListsTwentyDecisions_whenThereAreMore() {
        Decision[] decisions = Collections.nCopies(21, left("3 nodes")).toArray(Decision[]::new);
        assertThat(explained(1, decisions))
                .filteredOn("range 1 is left alone, NO_NODE: 3 nodes"::equals)
                .hasSize(20);
    }
}
