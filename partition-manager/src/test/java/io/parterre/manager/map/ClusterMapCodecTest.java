package io.parterre.manager.map;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import io.parterre.key.ObjectId;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Snapshots of the map, as this release and earlier ones write them. */
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
                        new MapCommand.FoundCluster(
                                new ClusterId("c1"), List.of(N1), FeatureLevel.FIRST),
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
    void codecReadsSnapshot_fromFormatVersion1() throws IOException {
        ClusterMap read =
                ClusterMapCodec.read(new ByteArrayInputStream(HexFormat.of().parseHex(VERSION_1)));
        // Moves and confirmations came later: what was kept then has served.
        assertThat(read)
                .isEqualTo(
                        MapApply.apply(small(), new MapCommand.ConfirmRange(new RangeId(1))).map());
        assertThat(MapApply.apply(read, new MapCommand.LeaseObjectIds(1)).outcome())
                .isEqualTo(new MapOutcome.Leased(new ObjectId(1_005), 1));
    }

    /** With operations under way, as it was written first. */
    private static final String WITH_OPERATIONS =
            "01000000200a02633110061802200328ed0730013802400248015201015a"
                    + "060a026e3110090000000b08011a01ff20012a026e31000000160a026e31"
                    + "1203683a311a03683a3222017a2a01763802000000180a026e321203683a"
                    + "331a03683a342201792a01763202693200000014080112086163636f756e"
                    + "74311a0673656372657400000015080212086163636f756e74321a056f74"
                    + "686572280100000010080112026e321a026e31200428053001";

    @Test
    void snapshotBytesStayStable_withOperationsInProgress() throws IOException {
        assertThat(HexFormat.of().formatHex(bytes(busy()))).isEqualTo(WITH_OPERATIONS);
        ClusterMap read =
                ClusterMapCodec.read(
                        new ByteArrayInputStream(HexFormat.of().parseHex(WITH_OPERATIONS)));
        assertThat(read).isEqualTo(busy());
    }

    /** With encrypted keys, as they were written first. */
    private static final String WITH_ENCRYPTED_KEYS =
            "01000000160a02633110051802200228ed07300138014001520101000000"
                    + "0b08011a01ff20012a026e31000000140a026e311203683a311a03683a32"
                    + "22017a2a01760000003e080112086163636f756e7431322712250a026b31"
                    + "120c0000000000000000000000001a110000000000000000000000000000"
                    + "00000032070a056f74686572";

    @Test
    void snapshotBytesStayStable_withEncryptedKeys() throws IOException {
        ClusterMap map = small();
        EncryptedKey encrypted = new EncryptedKey("k1", new byte[12], new byte[17]);
        for (MapCommand command :
                List.of(
                        new MapCommand.EncryptKeys(
                                new AccountName("account1"), map.version(), List.of(encrypted)),
                        new MapCommand.RotateKey(
                                new AccountName("account1"),
                                2,
                                AccountKey.of("other".getBytes(UTF_8))))) {
            assertThat(MapCommandCodec.decode(MapCommandCodec.encode(command, FeatureLevel.NEWEST)))
                    .isEqualTo(command);
            map = MapApply.apply(map, command).map();
        }
        assertThat(HexFormat.of().formatHex(bytes(map))).isEqualTo(WITH_ENCRYPTED_KEYS);
        assertThat(
                        ClusterMapCodec.read(
                                new ByteArrayInputStream(
                                        HexFormat.of().parseHex(WITH_ENCRYPTED_KEYS))))
                .isEqualTo(map);
    }

    private static ClusterMap busy() {
        NodeId n2 = new NodeId("n2");
        ClusterMap map = small();
        for (MapCommand command :
                List.of(
                        new MapCommand.RegisterNode(
                                new ClusterNode(
                                        n2, "h:3", "h:4", "y", "v", "i2", NodeState.ACTIVE)),
                        new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING),
                        new MapCommand.BeginMove(
                                new Move(
                                        new RangeId(1),
                                        Optional.of(n2),
                                        Optional.of(N1),
                                        MoveReason.DRAIN,
                                        Generation.FIRST,
                                        Instant.ofEpochMilli(5))),
                        new MapCommand.CreateAccount(
                                new AccountName("account2"),
                                List.of(AccountKey.of("other".getBytes(UTF_8)))),
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(N1, Instant.ofEpochMilli(9), ""),
                                Instant.ofEpochMilli(6)))) {
            map = MapApply.apply(map, command).map();
        }
        return map;
    }

    @Test
    void snapshotKeepsReplacementAndDisruptionLeaseReason() throws IOException {
        NodeId n2 = new NodeId("n2");
        ClusterMap map = small();
        for (MapCommand command :
                List.of(
                        new MapCommand.RegisterNode(new ClusterNode(n2, "h:3", "h:4", "y", "v")),
                        new MapCommand.SetNodeState(N1, NodeState.DECOMMISSIONING, Optional.of(n2)),
                        new MapCommand.TakeDisruptionLease(
                                new DisruptionLease(n2, Instant.ofEpochMilli(9), "disk"),
                                Instant.ofEpochMilli(6)))) {
            assertThat(MapCommandCodec.decode(MapCommandCodec.encode(command, FeatureLevel.NEWEST)))
                    .isEqualTo(command);
            map = MapApply.apply(map, command).map();
        }
        ClusterMap read = copy(map);
        assertThat(read).isEqualTo(map);
        assertThat(read.replacement(N1)).contains(n2);
        assertThat(read.disruptionLease().orElseThrow().reason()).isEqualTo("disk");
    }

    @Test
    void snapshotKeepsAbortedMergesAndAbsorbedRanges() throws IOException {
        ClusterMap map = MergeApplyTest.twoRanges();
        Merge merge = MergeApplyTest.merge(map);
        map = MapApply.apply(map, new MapCommand.BeginMerge(merge)).map();
        map = MapApply.apply(map, new MapCommand.AbandonMerge(merge, Reason.words("late"))).map();
        assertThat(map.merges()).containsExactly(merge.asAbandoned(Reason.words("late")));
        assertThat(copy(map)).isEqualTo(map);

        map =
                MapApply.apply(
                                map,
                                new MapCommand.JoinRanges(merge, new Generation(3), List.of(N1)))
                        .map();
        assertThat(map.dead()).hasSize(1);
        assertThat(copy(map)).isEqualTo(map);
    }

    @Test
    void snapshotKeepsFormerFolders_ofNodesThatReturned() throws IOException {
        ClusterMap map = small();
        NodeId n2 = new NodeId("n2");
        List<MapCommand> commands = new ArrayList<>();
        commands.add(new MapCommand.RaiseLevel(FeatureLevel.FIRST, FeatureLevel.NEWEST));
        for (String folder : List.of("i1", "i2")) {
            commands.add(register(n2, folder));
            commands.add(new MapCommand.SetNodeState(n2, NodeState.DECOMMISSIONING));
            commands.add(new MapCommand.SetNodeState(n2, NodeState.REMOVED));
        }
        commands.add(register(n2, "i3"));
        for (MapCommand command : commands) {
            map = MapApply.apply(map, command).map();
        }
        assertThat(map.operations().former().get(n2).incarnations()).containsExactly("i1", "i2");
        assertThat(copy(map)).isEqualTo(map);
    }

    private static MapCommand register(NodeId nodeId, String incarnation) {
        return new MapCommand.RegisterNode(
                new ClusterNode(nodeId, "h:3", "h:4", "y", "v", incarnation, NodeState.ACTIVE));
    }

    @Test
    void snapshotKeepsRecoveriesAndRetiredRanges() throws IOException {
        MapCommand recover =
                new MapCommand.RecoverRange(
                        new RangeId(1),
                        Generation.FIRST,
                        new RangeId(2),
                        new Generation(4),
                        N1,
                        Instant.ofEpochMilli(7));
        ClusterMap map = MapApply.apply(small(), recover).map();
        ClusterMap read = copy(map);
        assertThat(read).isEqualTo(map);
        Recovery recovery =
                new Recovery(new RangeId(2), new RangeId(1), N1, Instant.ofEpochMilli(7));
        assertThat(read.recovery(new RangeId(2))).contains(recovery);
        assertThat(read.isRetired(new RangeId(1))).isTrue();
        assertThat(read.dead(new RangeId(1)))
                .contains(
                        new DeadRange(
                                new RangeId(1),
                                new Generation(4),
                                new RangeId(2),
                                true,
                                map.version()));
        MapCommand end = new MapCommand.EndRecovery(recovery);
        for (MapCommand command : List.of(recover, end)) {
            assertThat(MapCommandCodec.decode(MapCommandCodec.encode(command, FeatureLevel.NEWEST)))
                    .isEqualTo(command);
        }
        ClusterMap ended = MapApply.apply(read, end).map();
        assertThat(ended.recoveries()).isEmpty();
        assertThat(copy(ended).isRetired(new RangeId(1))).as("for good").isTrue();
    }

    /** The same map with ids in the header's field 41, as releases before dead ranges wrote it. */
    private static byte[] withRetired(ClusterMap map, int... rangeIds) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes(map)));
        int version = in.read();
        byte[] header = in.readNBytes(in.readInt());
        byte[] packed = new byte[rangeIds.length];
        for (int i = 0; i < packed.length; i++) {
            packed[i] = (byte) rangeIds[i];
        }
        UnknownFieldSet retired =
                UnknownFieldSet.newBuilder()
                        .addField(
                                41,
                                UnknownFieldSet.Field.newBuilder()
                                        .addLengthDelimited(ByteString.copyFrom(packed))
                                        .build())
                        .build();
        byte[] more = retired.toByteArray();
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(version);
        out.writeInt(header.length + more.length);
        out.write(header);
        out.write(more);
        out.write(in.readAllBytes());
        return bytes.toByteArray();
    }

    @Test
    void featureLevelIsKept_inSnapshotsAndEntries() throws IOException {
        MapCommand raise = new MapCommand.RaiseLevel(FeatureLevel.FIRST, FeatureLevel.NEWEST);
        assertThat(MapCommandCodec.decode(MapCommandCodec.encode(raise, FeatureLevel.NEWEST)))
                .isEqualTo(raise);
        ClusterMap raised = MapApply.apply(small(), raise).map();
        assertThat(raised.featureLevel()).isEqualTo(FeatureLevel.NEWEST);
        assertThat(copy(raised)).isEqualTo(raised);
    }

    /** A manager of the release before levels reads the one and refuses the other. */
    @Test
    void snapshotAndEntryVersionsRise_withFeatureLevelAlone() throws IOException {
        assertThat(bytes(small())[0]).isEqualTo((byte) 1);
        ClusterMap raised =
                MapApply.apply(
                                small(),
                                new MapCommand.RaiseLevel(FeatureLevel.FIRST, FeatureLevel.NEWEST))
                        .map();
        assertThat(bytes(raised)[0]).isEqualTo((byte) 2);
        assertThat(version(new MapCommand.RaiseLevel(FeatureLevel.FIRST, FeatureLevel.NEWEST)))
                .isEqualTo(3);
        assertThat(version(new MapCommand.FoundCluster(new ClusterId("c1"), List.of(N1))))
                .isEqualTo(3);
        assertThat(
                        version(
                                new MapCommand.FoundCluster(
                                        new ClusterId("c1"), List.of(N1), FeatureLevel.FIRST)))
                .isEqualTo(1);
    }

    private static int version(MapCommand command) {
        return MapCommandCodec.encode(command, FeatureLevel.NEWEST)[0];
    }

    @Test
    void snapshotIsRefused_whenNewerReleaseWroteFieldOfIt() throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes(small())));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        out.write(in.read());
        byte[] header = in.readNBytes(in.readInt());
        byte[] unknown = HexFormat.of().parseHex("d00501");
        out.writeInt(header.length + unknown.length);
        out.write(header);
        out.write(unknown);
        out.write(in.readAllBytes());
        assertThatThrownBy(
                        () -> ClusterMapCodec.read(new ByteArrayInputStream(bytes.toByteArray())))
                .isInstanceOf(IOException.class)
                .hasCauseInstanceOf(NewerReleaseException.class)
                .hasMessageContaining("SnapshotHeader with field 90");
    }

    @Test
    void retiredRangesStayRetired_whenSnapshotIsFromOlderRelease() throws IOException {
        ClusterMap map = MergeApplyTest.twoRanges();
        ClusterMap read =
                ClusterMapCodec.read(new ByteArrayInputStream(withRetired(map, 100, 101)));
        assertThat(read.ranges()).isEqualTo(map.ranges());
        assertThat(read.isRetired(new RangeId(100))).isTrue();
        assertThat(read.isRetired(new RangeId(101))).isTrue();
        assertThat(read.isRetired(new RangeId(102))).isFalse();
        assertThat(copy(read)).as("as dead ranges from then on").isEqualTo(read);
    }

    @Test
    void snapshotRemembersBootstrapMemberDiskLoss_untilConfirmed() throws IOException {
        ClusterMap map = small();
        for (String incarnation : List.of("first", "first", "second")) {
            assertThat(map.mayBeFounded(new RangeId(1), N1)).isTrue();
            map =
                    MapApply.apply(
                                    map,
                                    new MapCommand.RegisterNode(
                                            new ClusterNode(
                                                    N1,
                                                    "h:1",
                                                    "h:2",
                                                    "z",
                                                    "v",
                                                    incarnation,
                                                    NodeState.ACTIVE)))
                            .map();
        }
        ClusterMap read = ClusterMapCodec.read(new ByteArrayInputStream(bytes(map)));
        assertThat(read).isEqualTo(map);
        assertThat(read.mayBeFounded(new RangeId(1), N1)).isFalse();
        assertThat(read.isConfirmed(new RangeId(1))).isFalse();

        ClusterMap confirmed =
                MapApply.apply(read, new MapCommand.ConfirmRange(new RangeId(1))).map();
        assertThat(confirmed.operations().folderReplaced()).isEmpty();
    }

    @Test
    void codecRejectsSnapshot_whenTruncatedAtAnyByte() throws IOException {
        byte[] whole = bytes(busy());
        for (int length = 0; length < whole.length; length++) {
            byte[] splitPoint = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> ClusterMapCodec.read(new ByteArrayInputStream(splitPoint)))
                    .isInstanceOf(IOException.class);
        }
    }

    @Test
    void codecRejectsSnapshot_whenVersionIsLater() throws IOException {
        byte[] later = bytes(small());
        later[0] = 3;
        assertThatThrownBy(() -> ClusterMapCodec.read(new ByteArrayInputStream(later)))
                .isInstanceOf(IOException.class)
                .hasMessage(
                        "map snapshot version: 3, which a newer release wrote (expected: at most"
                                + " 2)")
                .hasCauseInstanceOf(NewerReleaseException.class);
    }
}
