package io.parterre.manager.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.manager.map.ClusterManager;
import io.parterre.manager.plan.membership.ManagerStanding;
import io.parterre.range.NodeId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandingFileTest {
    private static final ClusterManager M1 =
            new ClusterManager(new NodeId("m1"), "r:1", "s:1", "i1");
    private static final ManagerStanding FOUNDED =
            ManagerStanding.fresh("i1")
                    .founding(new UUID(0, 1), List.of(M1))
                    .withMembers(List.of(M1.withIncarnation("")));

    /** Written by format version 1; it must stay readable as long as version 1 is accepted. */
    private static final String VERSION_1 =
            "010a02693110041a2430303030303030302d303030302d303030302d3030"
                    + "30302d30303030303030303030303122120a026d311203723a311a03733a"
                    + "3122026931"
                    + "2a0e0a026d311203723a311a03733a31";

    @TempDir private Path folder;

    @Test
    void standingFileReadsAndWritesFormatVersion1() throws IOException {
        assertThat(HexFormat.of().formatHex(StandingFile.encode(FOUNDED))).isEqualTo(VERSION_1);
        assertThat(StandingFile.decode(HexFormat.of().parseHex(VERSION_1))).isEqualTo(FOUNDED);
    }

    @Test
    void standingFileReturnsWhatWasWrittenLast() throws IOException {
        StandingFile file = new StandingFile(folder.resolve("manager"));
        assertThat(file.read()).isEmpty();
        file.write(ManagerStanding.fresh("i1"));
        file.write(FOUNDED);
        assertThat(file.read()).contains(FOUNDED);
    }

    @Test
    void standingFileIsRejected_whenVersionIsUnknownOrCorrupt() {
        assertThatThrownBy(() -> StandingFile.decode(new byte[0])).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> StandingFile.decode(new byte[] {2, 0}))
                .hasMessage("manager standing version: 2 (expected: 1)");
        assertThatThrownBy(() -> StandingFile.decode(new byte[] {1, 8, 8}))
                .hasMessage("manager standing: damaged");
    }
}
