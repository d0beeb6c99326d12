package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.table.EntityLimits;
import io.parterre.proto.range.WriteEntities;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EntityCommandsTest {
    @Test
    void writeCommandCarriesEntityLimitsForPartitionServers() {
        WriteEntities command =
                EntityCommands.command(
                        ClusterFixture.SCOPE,
                        List.of(ClusterFixture.insert("p", "r")),
                        new EntityLimits(2_048, 7, 255, 1_024, 32_768, 65_536));
        assertThat(command.getEntityBytesMax()).isEqualTo(2_048);
        assertThat(command.getPropertiesMax()).isEqualTo(7);
    }
}
