package io.parterre.manager.lead;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.manager.map.ClusterMap;
import io.parterre.manager.map.MapCommand;
import io.parterre.range.NodeId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class PartitionManagerMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final PartitionManagerMetrics metrics =
            new PartitionManagerMetrics(registry, () -> ClusterMap.EMPTY);

    @Test
    void commandLabelIsItsKind() {
        MapCommand command = new MapCommand.ReturnDisruptionLease(new NodeId("n1"));
        assertThat(PartitionManagerMetrics.label(command)).isEqualTo("return_disruption_lease");
        assertThat(PartitionManagerMetrics.label(new MapCommand.LeaseObjectIds(1)))
                .isEqualTo("lease_object_ids");
    }

    @Test
    void heartbeatsAreCountedByAnswer() {
        metrics.heartbeat(new LeaderAnswer.NotLeading<>(Optional.empty()));
        metrics.heartbeat(new LeaderAnswer.InDoubt<>("why"));
        for (String answer : List.of("not_leading", "in_doubt")) {
            assertThat(
                            registry.get("partition_manager_heartbeats")
                                    .tag("answer", answer)
                                    .counter()
                                    .count())
                    .isEqualTo(1);
        }
    }
}
