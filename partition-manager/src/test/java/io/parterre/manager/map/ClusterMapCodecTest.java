package io.parterre.manager.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.ObjectId;
import io.parterre.range.NodeId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterMapCodecTest {
    private static final NodeId N1 = new NodeId("n1");

    static ClusterMap copy(ClusterMap map) throws IOException {
        return ClusterMapCodec.read(new ByteArrayInputStream(bytes(map)));
    }

    private static byte[] bytes(ClusterMap map) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ClusterMapCodec.write(map, out);
        return out.toByteArray();
    }

    private static ClusterMap small() {
        ClusterMap map = ClusterMap.EMPTY;
        for (MapCommand command :
                List.of(
                        new MapCommand.RegisterNode(new ClusterNode(N1, "h:1", "h:2", "z", "v")),
                        new MapCommand.FoundCluster(new ClusterId("c1"), List.of(N1)),
                        new MapCommand.EnsureAccount(
                                new AccountName("account1"),
                                List.of(AccountKey.of("secret".getBytes(UTF_8))),
                                false),
                        new MapCommand.LeaseObjectIds(5))) {
            map = MapApply.apply(map, command).map();
        }
        return map;
    }

    /** Written by format version 1; it must stay readable as long as version 1 is accepted. */
    private static final String VERSION_1 =
            "01000000130a02633110031802200228ed073001380140010000000b0801"
                    + "1a01ff20012a026e31000000140a026e311203683a311a03683a3222017a"
                    + "2a017600000014080112086163636f756e74311a06736563726574";

    @Test
    void readsTheOldestSnapshotWeStillAccept() throws IOException {
        ClusterMap read =
                ClusterMapCodec.read(new ByteArrayInputStream(HexFormat.of().parseHex(VERSION_1)));
        assertThat(read).isEqualTo(small());
        assertThat(MapApply.apply(read, new MapCommand.LeaseObjectIds(1)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_005), 1));
    }

    @Test
    void refusesASnapshotThatIsCutShortAtAnyByte() throws IOException {
        byte[] whole = bytes(small());
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ClusterMapCodec.read(new ByteArrayInputStream(cut)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void refusesASnapshotOfALaterVersion() throws IOException {
        byte[] later = bytes(small());
        later[0] = 2;
        assertThatThrownBy(() -> ClusterMapCodec.read(new ByteArrayInputStream(later)))
                .isInstanceOf(IOException.class)
                .hasMessage("map snapshot version: 2 (expected: 1)");
    }

    @Test
    void readsTheOldestLogEntryWeStillAccept() {
        byte[] entry = HexFormat.of().parseHex("01" + "0a08" + "0a026331" + "12026e31");
        assertThat(MapCommandCodec.decode(entry))
                .isEqualTo(new MapCommand.FoundCluster(new ClusterId("c1"), List.of(N1)));
    }

    @Test
    void refusesAnEntryItCannotUnderstand() {
        assertThatThrownBy(() -> MapCommandCodec.decode(new byte[] {2, 0}))
                .hasMessage("map entry version: 2 (expected: 1)");
        assertThatThrownBy(() -> MapCommandCodec.decode(new byte[] {1}))
                .hasMessage("map entry: no command known here");
    }
}
