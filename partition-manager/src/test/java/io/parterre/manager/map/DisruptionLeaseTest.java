package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class DisruptionLeaseTest {
    private static DisruptionLease lease(String reason) {
        return new DisruptionLease(new NodeId("n1"), Instant.ofEpochSecond(9), reason);
    }

    @Test
    void leaseNamesItsProcess_unlessOperatorTookIt() {
        assertThat(lease(DisruptionLease.reasonOf("p-1")).process()).contains("p-1");
        assertThat(lease("kernel update").process()).isEmpty();
        assertThat(lease("").process()).isEmpty();
    }
}
