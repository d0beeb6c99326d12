package io.parterre.manager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.parterre.manager.raft.LoneManager;
import io.parterre.range.NodeId;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** One of two managers goes on without the other, on real Ratis. */
class LoneManagerIT extends NetworkedManagers {
    /** As when its machine is gone: one of two is no majority. */
    @Test
    void survivorOfTwoLeadsAlone_afterOperatorDropsLostManager() throws Exception {
        network.startAll(1, 2);
        network.awaitLeader();
        String clusterId = network.found();
        network.awaitMembers(1, 2);
        network.stop(1, 2);
        LoneManager folder = new LoneManager(network.folder(1));
        assertThatThrownBy(() -> folder.becomeOnlyManager(new NodeId("m3")))
                .hasMessageContaining("expected: beside m3 alone")
                .hasMessageContaining("nothing was changed");

        folder.becomeOnlyManager(new NodeId("m2"));
        network.start(1, 1, 2);
        network.awaitLeader();
        assertThat(network.found()).isEqualTo(clusterId);

        // With what it had, the other is of no group that there is; emptied, it is taken in.
        network.start(2, 1, 2);
        await().during(ManagerNetwork.ELECTION)
                .atMost(Duration.ofSeconds(60))
                .until(() -> network.leader().equals(Optional.of(1)));
        network.stop(2);
        network.empty(2);
        network.start(2, 1, 2);
        network.awaitMembers(1, 2);
        assertThat(network.found()).isEqualTo(clusterId);
    }

    @Test
    void dropOfLostManagerIsRejected_whenGroupHasThreeMembers() throws Exception {
        network.startAll(1, 2, 3);
        network.awaitMembers(1, 2, 3);
        network.stop(1);
        assertThatThrownBy(
                        () ->
                                new LoneManager(network.folder(1))
                                        .becomeOnlyManager(new NodeId("m2")))
                .hasMessageContaining("beside [m2, m3]");
    }
}
