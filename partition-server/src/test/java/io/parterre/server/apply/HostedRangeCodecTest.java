package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import io.parterre.range.Generation;
import io.parterre.range.NodeId;
import io.parterre.range.RangeDescriptor;
import io.parterre.range.RangeId;
import io.parterre.server.command.Member;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows written by the first version stay readable. */
final class HostedRangeCodecTest {
    @Test
    void decodeReadsHostedRange_whenWrittenInFirstVersion() {
        byte[] oldest =
                HexFormat.of()
                        .parseHex(
                                "01"
                                        // range 7, from 02 on, generation 3, member n1
                                        + "0a0e"
                                        + "0807"
                                        + "120102"
                                        + "1a01ff"
                                        + "2003"
                                        + "2a026e31"
                                        // node n1 at h:1
                                        + "1209"
                                        + "0a026e31"
                                        + "1a03683a31");

        assertThat(HostedRangeCodec.decode(oldest))
                .isEqualTo(
                        new HostedRange(
                                new RangeDescriptor(
                                        new RangeId(7),
                                        new KeyRange(Key.copyOf(new byte[] {2}), Key.LAST),
                                        new Generation(3),
                                        List.of(new NodeId("n1"))),
                                List.of(new Member(new NodeId("n1"), "h:1", ""))));
    }

    @Test
    void decodeReturnsHostedRangeThatEncodeWrote() {
        HostedRange range =
                new HostedRange(
                        new RangeDescriptor(
                                new RangeId(7),
                                KeyRange.ALL,
                                Generation.FIRST,
                                List.of(new NodeId("n1"), new NodeId("n2"))),
                        List.of(
                                new Member(new NodeId("n1"), "a:1", "a:2"),
                                new Member(new NodeId("n2"), "b:2", "b:3")));

        assertThat(HostedRangeCodec.decode(HostedRangeCodec.encode(range))).isEqualTo(range);
    }

    @Test
    void decodeReturnsHostedRangeThatEncodeWrote_whenFrozen() {
        HostedRange frozen = AppliedRange.whole().frozen(new RangeId(7), new Generation(4));
        HostedRange part = frozen.over(new KeyRange(Key.copyOf(new byte[] {2}), Key.LAST));

        for (HostedRange range : List.of(frozen, part)) {
            assertThat(range.descriptor().frozenFor()).contains(new RangeId(7));
            assertThat(range.descriptor().frozenAt()).contains(new Generation(4));
            assertThat(HostedRangeCodec.decode(HostedRangeCodec.encode(range))).isEqualTo(range);
        }
    }

    @Test
    void decodeRejectsHostedRange_whenVersionIsNewerOrRowIsEmpty() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostedRangeCodec.decode(new byte[] {2}));
        assertThatIllegalArgumentException().isThrownBy(() -> HostedRangeCodec.decode(new byte[0]));
    }

    @Test
    void decodeRejectsHostedRange_whenRowIsMalformed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HostedRangeCodec.decode(new byte[] {1, 0x0a, 0x7f}))
                .withMessage("descriptor row: malformed");
    }

    @Test
    void hostedRangeIsRejected_whenNodeOfAMemberIsMissing() {
        RangeDescriptor range =
                new RangeDescriptor(
                        new RangeId(7),
                        KeyRange.ALL,
                        Generation.FIRST,
                        List.of(new NodeId("n1"), new NodeId("n2")));
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                new HostedRange(
                                        range, List.of(new Member(new NodeId("n1"), "a:1", "a:2"))))
                .withMessage("members: [n1] (expected: all of [n1, n2])");
    }
}
