package io.parterre.manager.plan.view;

import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static io.parterre.manager.plan.view.TwoRanges.LEFT;
import static io.parterre.manager.plan.view.TwoRanges.NOW;
import static io.parterre.manager.plan.view.TwoRanges.RIGHT;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.progress.Upkeep;
import io.parterre.range.Generation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
    private final TwoRanges cluster = new TwoRanges(ids(1, 2, 3), ids(2, 3, 4));

    @Test
    void clusterHealthCountsNodesByLivenessAndUnderReplicatedRanges() {
        assertThat(ClusterHealth.of(cluster.view()))
                .isEqualTo(new ClusterHealth(Map.of(Liveness.UP, 5), 2, 0, 0, 0, 0, Map.of()));
        cluster.silent.add(id(1));
        ClusterHealth health = ClusterHealth.of(cluster.view());
        assertThat(health)
                .isEqualTo(
                        new ClusterHealth(
                                Map.of(Liveness.UP, 4, Liveness.DEAD, 1), 2, 1, 1, 0, 0, Map.of()));
        assertThat(health.nodes(Liveness.DEAD)).isEqualTo(1);
        assertThat(health.nodes(Liveness.SUSPECT)).isZero();
        cluster.leadSince = NOW.minusSeconds(30);
        assertThat(ClusterHealth.of(cluster.view()).nodes(Liveness.SUSPECT)).isEqualTo(1);
    }

    @Test
    void clusterHealthCountsDamagedReplicasAndDamagedNodes() {
        cluster.holdsDamaged(id(3), LEFT, 1, "a bad block");
        cluster.storeDamage.put(id(4), "a bad block");
        ClusterHealth health = ClusterHealth.of(cluster.view());
        assertThat(health.damagedReplicas()).as("with that of the damaged node").isEqualTo(2);
        assertThat(health.damagedNodes()).isEqualTo(1);
    }

    @Test
    void clusterHealthOmitsRemovedNodes() {
        cluster.apply(
                new MapCommand.SetNodeState(id(5), NodeState.DECOMMISSIONING),
                new MapCommand.SetNodeState(id(5), NodeState.REMOVED));
        assertThat(ClusterHealth.of(cluster.view()).nodes()).isEqualTo(Map.of(Liveness.UP, 4));
    }

    @Test
    void leftoverCountsReplicasAndBytesStillOnNode() {
        cluster.isAsked(LEFT, 1, Duration.ofMinutes(1), 3_000);
        cluster.isAsked(RIGHT, 1, Duration.ofMinutes(1), 500);
        assertThat(Leftover.of(cluster.view(), id(1))).isEqualTo(new Leftover(1, 3_000));
        assertThat(Leftover.of(cluster.view(), id(2))).isEqualTo(new Leftover(2, 3_500));
        assertThat(Leftover.of(cluster.view(), id(5))).isEqualTo(new Leftover(0, 0));
    }

    @Test
    void olderGenerationCounts_whenReportListsRangeTwice() {
        NodeReport.Replica older = cluster.report(id(1)).replica(LEFT).orElseThrow();
        cluster.leads(id(1), LEFT, 2);
        NodeReport.Replica newer = cluster.report(id(1)).replica(LEFT).orElseThrow();
        for (var replicas : List.of(List.of(older, newer), List.of(newer, older))) {
            assertThat(
                            new NodeReport(
                                            cluster.map.node(id(1)).orElseThrow(),
                                            cluster.map.clusterId(),
                                            replicas)
                                    .replica(LEFT))
                    .contains(older);
        }
    }

    @Test
    void mapTakesRangeChange_onlyFromReportOfRangeLeader() {
        cluster.holds(id(2), LEFT, 2);
        assertThat(cluster.news(id(2))).isEmpty();
        cluster.leads(id(1), LEFT, 2);
        assertThat(cluster.news(id(1))).hasSize(1);
        NodeReport.Replica untold =
                new NodeReport.Replica(
                        LEFT, new Generation(2), true, 1, 1, List.of(), List.of(), false);
        assertThat(
                        Upkeep.news(
                                cluster.view(),
                                new NodeReport(
                                        cluster.map.node(id(1)).orElseThrow(),
                                        cluster.map.clusterId(),
                                        List.of(untold))))
                .as("of its members it tells nothing")
                .isEmpty();
    }
}
