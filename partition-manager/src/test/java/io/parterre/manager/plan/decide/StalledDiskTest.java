package io.parterre.manager.plan.decide;

import static io.parterre.manager.plan.decide.FourNodes.RANGE;
import static io.parterre.manager.plan.decide.FourNodes.decisions;
import static io.parterre.manager.plan.decide.FourNodes.range;
import static io.parterre.manager.plan.decide.FourNodes.withStalledDisk;
import static io.parterre.manager.plan.view.Maps.id;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.manager.plan.view.ClusterView;
import io.parterre.manager.plan.view.Health;
import org.junit.jupiter.api.Test;

/** A node that says its disk does not answer. */
final class StalledDiskTest {
    @Test
    void nodeLosesLeadership_whenItsDiskStalls() {
        assertThat(decisions(withStalledDisk(id(1))))
                .singleElement()
                .isInstanceOfSatisfying(
                        Decision.TransferLead.class,
                        transfer -> {
                            assertThat(transfer.from()).isEqualTo(id(1));
                            assertThat(transfer.to()).isIn(id(2), id(3));
                        });
    }

    @Test
    void nodeKeepsReplicasButCountsAsSilent_whenItsDiskStalls() {
        ClusterView view = withStalledDisk(id(2));
        assertThat(decisions(view)).isEmpty();
        assertThat(view.health(RANGE, id(2))).isEqualTo(Health.SILENT);
        assertThat(view.healthy(range())).isEqualTo(2);
    }

    @Test
    void nodeReceivesNoReplicas_whenItsDiskStalls() {
        assertThat(withStalledDisk(id(4)).takesMore(id(4))).isFalse();
        assertThat(withStalledDisk(id(1)).takesMore(id(4))).isTrue();
    }
}
