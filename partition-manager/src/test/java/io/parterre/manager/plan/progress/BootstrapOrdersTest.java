package io.parterre.manager.plan.progress;

import static io.parterre.manager.plan.view.Maps.after;
import static io.parterre.manager.plan.view.Maps.id;
import static io.parterre.manager.plan.view.Maps.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.map.ClusterId;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.ClusterNode;
import io.parterre.manager.map.MapCommand;
import io.parterre.manager.map.NodeState;
import io.parterre.manager.plan.view.Health;
import io.parterre.manager.plan.view.Maps;
import org.junit.jupiter.api.Test;

/** The first range, until its members are known to have it. */
class BootstrapOrdersTest {
    private final MovingRange cluster = new MovingRange();

    @Test
    void emptyReplicaIsHosted_untilItsRangeIsConfirmed() {
        ClusterMap fresh = ClusterMap.EMPTY;
        for (int n = 1; n <= 3; n++) {
            fresh = after(fresh, new MapCommand.RegisterNode(Maps.node(id(n), "")));
        }
        cluster.map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        cluster.allMembersHold(1, 1);
        cluster.held.remove(id(3));
        assertThat(cluster.orders()).containsExactly("n3: host [n1, n2, n3]");
        assertThat(Upkeep.due(cluster.view())).isEmpty();
        cluster.holds(3, 1, false, false);
        assertThat(Upkeep.due(cluster.view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(MovingRange.R1));
        cluster.map = after(cluster.map, new MapCommand.ConfirmRange(MovingRange.R1));
        cluster.held.remove(id(3));
        assertThat(cluster.orders()).as("an empty log must not vote").isEmpty();
        assertThat(cluster.view().health(MovingRange.R1, id(3))).isEqualTo(Health.LOST);
    }

    @Test
    void rangeConfirmationProceeds_whenBootstrapMemberIsDead() {
        ClusterMap fresh = ClusterMap.EMPTY;
        for (int n = 1; n <= 3; n++) {
            fresh = after(fresh, new MapCommand.RegisterNode(Maps.node(id(n), "")));
        }
        cluster.map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        cluster.allMembersHold(1, 1);
        cluster.held.remove(id(3));
        cluster.silentSeconds.put(id(3), 500);
        assertThat(Upkeep.due(cluster.view()))
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(MovingRange.R1));
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
        cluster.map = after(fresh, new MapCommand.FoundCluster(new ClusterId("c"), ids(1, 2, 3)));
        // The first two have it, and acknowledge writes; the third has not started yet.
        cluster.allMembersHold(1, 1);
        cluster.held.remove(id(3));
        cluster.map = after(cluster.map, new MapCommand.RegisterNode(inFolder(2, "second")));
        cluster.held.remove(id(2));

        assertThat(cluster.orders())
                .as("with the third its empty log would be a majority")
                .containsExactly("n3: host [n1, n2, n3]");
        assertThat(Upkeep.due(cluster.view())).isEmpty();

        cluster.holds(3, 1, false, false);
        assertThat(cluster.view().health(MovingRange.R1, id(2))).isEqualTo(Health.LOST);
        assertThat(Upkeep.due(cluster.view()))
                .as("what is lost is for the planner from here on")
                .extracting(Upkeep.Chore::command)
                .containsExactly(new MapCommand.ConfirmRange(MovingRange.R1));
    }
}
