package io.parterre.server.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.RangeId;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Records of changes as bytes, which archives keep for years. */
final class ChangeRecordCodecTest {
    private static final KeyRange KEYS =
            new KeyRange(Key.copyOf(new byte[] {2}), Key.copyOf(new byte[] {3}));

    /** All kinds, as the first release wrote them. */
    private static final String WRITTEN =
            "01"
                    + "00"
                    + "0000000000000007"
                    + "01"
                    + "00000001"
                    + "0a"
                    + "00000002"
                    + "0102"
                    + "02"
                    + "00000001"
                    + "0b"
                    + "03"
                    + "0000000102"
                    + "0000000103"
                    + "04"
                    + "0000000000000009"
                    + "0000000102"
                    + "0000000103"
                    + "05"
                    + "0000000000000008"
                    + "0000000000000004"
                    + "0000000102"
                    + "0000000103"
                    + "06"
                    + "0000000000000005"
                    + "01"
                    + "0000000102"
                    + "0000000103";

    private static ChangeRecord all() {
        return new ChangeRecord(
                7,
                List.of(
                        new RowChange.Put(Key.copyOf(new byte[] {10}), new byte[] {1, 2}),
                        new RowChange.Delete(Key.copyOf(new byte[] {11})),
                        new RowChange.DeleteRange(KEYS),
                        new RowChange.Child(new RangeId(9), KEYS),
                        new RowChange.Absorbed(new RangeId(8), new Generation(4), KEYS),
                        new RowChange.Bounds(new Generation(5), KEYS, true)));
    }

    @Test
    void recordIsRead_asTheFirstReleaseWroteIt() {
        byte[] written = HexFormat.of().parseHex(WRITTEN);
        assertThat(ChangeRecordCodec.encode(all())).isEqualTo(written);
        ChangeRecord read = ChangeRecordCodec.decode(written);
        assertThat(read.timeTicks()).isEqualTo(7);
        assertThat(ChangeRecordCodec.encode(read)).isEqualTo(written);
        assertThat(read.changes().subList(1, 6)).isEqualTo(all().changes().subList(1, 6));
        assertThat(ChangeRecordCodec.isLast(written)).isFalse();
        ChangeRecordCodec.markLast(written);
        assertThat(ChangeRecordCodec.isLast(written)).isTrue();
        assertThat(ChangeRecordCodec.decode(written).timeTicks()).isEqualTo(7);
    }

    @Test
    void recordIsRefused_whenCutShortOrOfOtherVersion() {
        byte[] written = HexFormat.of().parseHex(WRITTEN);
        byte[] newer = written.clone();
        newer[0] = 2;
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ChangeRecordCodec.decode(newer))
                .withMessageContaining("version 2");
        for (int length : List.of(0, 5, 12, 20, written.length - 1)) {
            assertThatIllegalArgumentException()
                    .as("%d bytes", length)
                    .isThrownBy(() -> ChangeRecordCodec.decode(Arrays.copyOf(written, length)));
        }
    }
}
