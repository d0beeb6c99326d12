package io.parterre.manager.map;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.Key;
import io.parterre.manager.reason.Reason;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import io.parterre.release.FeatureLevel;
import io.parterre.release.NewerReleaseException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Entries of the managers' log, as this release and earlier ones write them. */
class MapCommandCodecTest {
    private static final NodeId N1 = new NodeId("n1");

    /** As it was written first. */
    private static final String BEGIN_MERGE = "0192020e0a0c080110021802200228013005";

    @Test
    void beginMergeEntryBytesStayStable() {
        MapCommand begin =
                new MapCommand.BeginMerge(
                        new Merge(
                                new RangeId(1),
                                new RangeId(2),
                                new Generation(2),
                                new Generation(2),
                                MergeReason.OPERATOR,
                                Instant.ofEpochMilli(5)));
        assertThat(HexFormat.of().formatHex(MapCommandCodec.encode(begin, FeatureLevel.NEWEST)))
                .isEqualTo(BEGIN_MERGE);
        assertThat(MapCommandCodec.decode(HexFormat.of().parseHex(BEGIN_MERGE))).isEqualTo(begin);
    }

    @Test
    void entryIsRefused_whenNewerReleaseWroteFieldOfIt() {
        byte[] entry =
                MapCommandCodec.encode(new MapCommand.LeaseObjectIds(5), FeatureLevel.NEWEST);
        // LeaseObjectIds is field 4; a field 90 of it is not known.
        byte[] more = HexFormat.of().parseHex("01" + "2205" + "0805" + "d00501");
        assertThat(MapCommandCodec.decode(entry)).isEqualTo(new MapCommand.LeaseObjectIds(5));
        assertThatThrownBy(() -> MapCommandCodec.decode(more))
                .isInstanceOf(NewerReleaseException.class)
                .hasMessageContaining("LeaseObjectIds with field 90");
        byte[] later = entry.clone();
        later[0] = 4;
        assertThatThrownBy(() -> MapCommandCodec.decode(later))
                .isInstanceOf(NewerReleaseException.class)
                .hasMessageContaining("version: 4");
    }

    @Test
    void codecReadsLogEntry_fromFormatVersion1() {
        byte[] entry = HexFormat.of().parseHex("01" + "0a08" + "0a026331" + "12026e31");
        assertThat(MapCommandCodec.decode(entry))
                .isEqualTo(
                        new MapCommand.FoundCluster(
                                new ClusterId("c1"), List.of(N1), FeatureLevel.FIRST));
    }

    /** From before a range could be split in more than two. */
    @Test
    void codecReadsSplitEntries_fromBeforeMultiWaySplits() {
        byte[] begin = HexFormat.of().parseHex("01" + "f20108" + "0805" + "1003" + "2802" + "3001");
        assertThat(MapCommandCodec.decode(begin))
                .isEqualTo(
                        new MapCommand.BeginSplit(
                                new RangeId(5),
                                new Generation(3),
                                Optional.empty(),
                                Optional.empty(),
                                SplitReason.SIZE,
                                Instant.ofEpochMilli(1),
                                2));
        String split = "0a0a" + "0805" + "1006" + "1803" + "3002" + "3801";
        byte[] splitPoint =
                HexFormat.of().parseHex("01" + "8a0215" + split + "120107" + "1804" + "22026e31");
        assertThat(MapCommandCodec.decode(splitPoint))
                .isEqualTo(
                        new MapCommand.CompleteSplit(
                                new Split(
                                        new RangeId(5),
                                        List.of(new RangeId(6)),
                                        new Generation(3),
                                        Optional.empty(),
                                        Optional.empty(),
                                        SplitReason.SIZE,
                                        Instant.ofEpochMilli(1),
                                        Optional.empty()),
                                Key.wrap(new byte[] {7}),
                                new Generation(4),
                                List.of(N1)));
    }

    @Test
    void codecRejectsLogEntry_whenVersionOrCommandIsUnknown() {
        assertThatThrownBy(() -> MapCommandCodec.decode(new byte[] {0, 0}))
                .hasMessage("map entry version: 0 (expected: 1..3)");
        assertThatThrownBy(() -> MapCommandCodec.decode(new byte[] {1}))
                .hasMessage("map entry: no command known here");
    }

    /** A manager that knows of one child alone would take too few ids, and go on. */
    @Test
    void splitEntryUsesFormatVersion2_whenItHasMoreThanTwoParts() {
        MapCommand noted =
                new MapCommand.Noted(
                        split(3),
                        new JournalEntry(
                                1,
                                JournalEntry.Kind.DECIDED,
                                "SPLIT",
                                Instant.EPOCH,
                                Instant.EPOCH,
                                1,
                                List.of(),
                                List.of(),
                                Reason.words("large")));
        assertThat(MapCommandCodec.encode(split(2), FeatureLevel.NEWEST)[0]).isEqualTo((byte) 1);
        assertThat(MapCommandCodec.encode(split(3), FeatureLevel.NEWEST)[0]).isEqualTo((byte) 2);
        assertThat(MapCommandCodec.encode(noted, FeatureLevel.NEWEST)[0]).isEqualTo((byte) 2);
        byte[] entry = MapCommandCodec.encode(split(3), FeatureLevel.NEWEST);
        assertThat(MapCommandCodec.decode(entry)).isEqualTo(split(3));
    }

    private static MapCommand split(int parts) {
        return new MapCommand.BeginSplit(
                new RangeId(7),
                new Generation(3),
                Optional.empty(),
                Optional.empty(),
                SplitReason.SIZE,
                Instant.EPOCH,
                parts);
    }
}
