package io.parterre.server.apply;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.parterre.error.ErrorCode;
import io.parterre.key.ObjectId;
import io.parterre.range.Generation;
import io.parterre.server.command.CommandId;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Rows written by the first version stay readable. */
final class OwnRowFormatTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text.replace(" ", ""));
    }

    @Test
    void decodeReadsOutcomes_whenWrittenInFirstVersion() {
        byte[] oldest =
                hex(
                        "01 0000000000000064"
                                + "0000000000000005 0000000000000001 01"
                                + " 00000002 0000000000000064 0000000000000000"
                                + "0000000000000005 0000000000000002 02"
                                + " 000000000000000b 00000001 54"
                                + "0000000000000005 0000000000000003 03"
                                + "0000000000000005 0000000000000004 04"
                                + " 00000007 000000000000000b 00000011"
                                + " 5461626c654265696e6744656c65746564"
                                + "fffffffffffffffb 0000000000000005 05"
                                + "0000000000000005 0000000000000006 06"
                                + "0000000000000005 0000000000000007 07 0000000000000003");

        OutcomeRowCodec.Row row = OutcomeRowCodec.decode(oldest);

        assertThat(row.ticks()).isEqualTo(100);
        assertThat(row.lines())
                .containsExactly(
                        line(5, 1, new Outcome.Written(new long[] {100, 0})),
                        line(5, 2, new Outcome.TableChanged(new ObjectId(11), "T")),
                        line(5, 3, new Outcome.Fenced(Optional.empty())),
                        line(
                                5,
                                4,
                                new Outcome.Rejected(
                                        ErrorCode.TABLE_BEING_DELETED,
                                        7,
                                        Optional.of(new ObjectId(11)))),
                        line(-5, 5, new Outcome.ScopeFenced()),
                        line(5, 6, new Outcome.PropertiesChanged()),
                        line(5, 7, new Outcome.MembersSet(new Generation(3))));
        assertThat(OutcomeRowCodec.encode(row.ticks(), row.lines())).isEqualTo(oldest);
    }

    private static OutcomeRowCodec.Line line(long sender, long sequence, Outcome outcome) {
        return new OutcomeRowCodec.Line(new CommandId(sender, sequence), outcome);
    }

    @Test
    void decodeReadsClockAndSender_whenWrittenInFirstVersion() {
        RangeClock clock = RangeClock.decode(hex("01 0000000000000065 0000000000000064"));
        assertThat(clock.lastTimestampTicks()).isEqualTo(101);
        assertThat(clock.nowTicks()).isEqualTo(100);

        assertThat(
                        SenderRowCodec.decode(
                                hex("01 0000000000000007 0000000000000008 0000000000000009")))
                .isEqualTo(new SenderRowCodec.Row(7, 8, 9, OptionalLong.empty()));
    }

    @Test
    void clockRowHasSecondVersion_onlyWithTimestampsUsedAhead() {
        byte[] row =
                hex(
                        "02 0000000000000031 0000000000000032"
                                + " 0000000000000064 0000000000000067"
                                + " 00000000000000c8 00000000000000c9");
        RangeClock clock = RangeClock.decode(row);
        assertThat(clock.lastTimestampTicks()).isEqualTo(49);
        assertThat(clock.nowTicks()).isEqualTo(50);
        assertThat(clock.usedAhead())
                .containsExactly(new TickInterval(100, 103), new TickInterval(200, 201));
        assertThat(clock.encode()).isEqualTo(row);

        byte[] first = hex("01 0000000000000065 0000000000000064");
        assertThat(RangeClock.decode(first).encode()).isEqualTo(first);
    }

    @Test
    void senderRowKeepsFirstVersion_whenSenderIsNotSilent() {
        byte[] heard = hex("01 0000000000000007 0000000000000008 0000000000000009");
        byte[] silent =
                hex("02 0000000000000007 0000000000000008 0000000000000009 000000000000000a");

        assertThat(SenderRowCodec.encode(new SenderRowCodec.Row(7, 8, 9, OptionalLong.empty())))
                .isEqualTo(heard);
        SenderRowCodec.Row row = new SenderRowCodec.Row(7, 8, 9, OptionalLong.of(10));
        assertThat(SenderRowCodec.encode(row)).isEqualTo(silent);
        assertThat(SenderRowCodec.decode(silent)).isEqualTo(row);
    }

    @Test
    void decodeReadsMergeOutcomes_whenWrittenInFirstVersion() {
        byte[] row =
                hex(
                        "01 0000000000000064"
                                + " 0000000000000005 0000000000000001 0a 0000000000000003 01"
                                + " 0000000000000005 0000000000000002 0b 0000000000000004 00"
                                + " 0000000000000005 0000000000000003 0c 0000000000000005 01");
        List<OutcomeRowCodec.Line> lines =
                List.of(
                        line(5, 1, new Outcome.RangeFrozen(new Generation(3), true)),
                        line(5, 2, new Outcome.RangeThawed(new Generation(4), false)),
                        line(5, 3, new Outcome.RangeAbsorbed(new Generation(5), true)));
        assertThat(OutcomeRowCodec.decode(row)).isEqualTo(new OutcomeRowCodec.Row(100, lines));
        assertThat(OutcomeRowCodec.encode(100, lines)).isEqualTo(row);
    }

    @Test
    void decodeReadsClockReset_whenWrittenInFirstVersion() {
        byte[] row = hex("01 0000000000000064 0000000000000005 0000000000000001 0d 01");
        List<OutcomeRowCodec.Line> lines = List.of(line(5, 1, new Outcome.ClockReset(true)));
        assertThat(OutcomeRowCodec.decode(row)).isEqualTo(new OutcomeRowCodec.Row(100, lines));
        assertThat(OutcomeRowCodec.encode(100, lines)).isEqualTo(row);
    }

    @Test
    void decodeRejectsRow_whenVersionIsNewer() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutcomeRowCodec.decode(hex("02 0000000000000064")));
        String clock = " 0000000000000065 0000000000000064";
        String interval = " 0000000000000070 0000000000000071";
        for (String malformed :
                List.of(
                        "02" + clock,
                        "01" + clock + interval,
                        "03" + clock + interval,
                        "02" + clock + interval + " 00",
                        "02" + clock + interval.repeat(RangeClock.INTERVALS_MAX + 1),
                        "02" + clock + " 0000000000000071 0000000000000070")) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> RangeClock.decode(hex(malformed)));
        }
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                SenderRowCodec.decode(
                                        hex(
                                                "03 0000000000000007 0000000000000008"
                                                        + " 0000000000000009")));
    }

    @Test
    void decodeRejectsOutcomes_whenRowIsTruncated() {
        List<OutcomeRowCodec.Line> lines =
                List.of(line(5, 1, new Outcome.TableChanged(new ObjectId(11), "Table")));
        byte[] whole = OutcomeRowCodec.encode(1, lines);
        for (int length = 10; length < whole.length; length++) {
            byte[] splitPoint = java.util.Arrays.copyOf(whole, length);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OutcomeRowCodec.decode(splitPoint));
        }
    }

    @Test
    void decodeRejectsOutcomes_whenKindOrErrorCodeIsUnknown() {
        String head = "01 0000000000000064 0000000000000005 0000000000000001 ";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OutcomeRowCodec.decode(hex(head + "7f")))
                .withMessage("outcome row: kind 127");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                OutcomeRowCodec.decode(
                                        hex(head + "04 00000000 0000000000000000 00000001 58")))
                .withMessage("outcome row: code X");
    }

    @Test
    void encodeRejectsOutcomes_whenTheyAreNotToBeRemembered() {
        for (Outcome outcome : List.of(new Outcome.Forgotten(), new Outcome.StaleRange())) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> OutcomeRowCodec.encode(1, List.of(line(5, 1, outcome))))
                    .withMessageEndingWith("(expected: one to remember)");
        }
    }

    @Test
    void writtenOutcomesAreEqual_whenTheirTimestampsAre() {
        Outcome written = new Outcome.Written(new long[] {100, 0});
        assertThat(written)
                .isEqualTo(new Outcome.Written(new long[] {100, 0}))
                .hasSameHashCodeAs(new Outcome.Written(new long[] {100, 0}))
                .isNotEqualTo(new Outcome.Written(new long[] {100, 1}));
    }

    @Test
    void outcomeLimitsAreRejected_whenSendersFadeBeforeOutcomes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new OutcomeLimits(60, 59, 600, 4, 3))
                .withMessage("senderTicks: 59 (expected: >= 60)");
        assertThat(new OutcomeLimits(60, 60, 600, 4, 3).senderTicks()).isEqualTo(60);
    }
}
