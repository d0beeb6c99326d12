package io.parterre.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.key.ObjectId;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class TableRecordCodecTest {
    @Test
    void codecReadsAndWritesTableRecordOfFirstFormat() {
        byte[] stored = HexFormat.of().parseHex("0102" + "0000000000000007" + "54616231");

        TableRecord table = TableRecordCodec.decode(stored);

        assertThat(table)
                .isEqualTo(new TableRecord("Tab1", new ObjectId(7), TableRecord.State.DELETING));
        assertThat(TableRecordCodec.encode(table)).isEqualTo(stored);
    }

    @Test
    void codecReadsAndWritesFirstPolicyFormat_withAccessPolicies() {
        byte[] stored =
                HexFormat.of()
                        .parseHex(
                                "0201"
                                        + "0000000000000007"
                                        + "00000004"
                                        + "54616231"
                                        + "0a190a017011010000000000000019ffffffffffffffff22027261"
                                        + "0a030a0171");

        TableRecord table = TableRecordCodec.decode(stored);

        assertThat(table)
                .isEqualTo(
                        new TableRecord(
                                "Tab1",
                                new ObjectId(7),
                                TableRecord.State.LIVE,
                                List.of(
                                        new AccessPolicy(
                                                "p",
                                                OptionalLong.of(1),
                                                OptionalLong.of(-1),
                                                Optional.of("ra")),
                                        new AccessPolicy(
                                                "q",
                                                OptionalLong.empty(),
                                                OptionalLong.empty(),
                                                Optional.empty()))));
        assertThat(TableRecordCodec.encode(table)).isEqualTo(stored);
    }

    @Test
    void tableRecordEncodesAsBefore_afterPoliciesAreRemoved() {
        TableRecord bare = new TableRecord("Tab1", new ObjectId(7), TableRecord.State.LIVE);
        AccessPolicy policy =
                new AccessPolicy("p", OptionalLong.empty(), OptionalLong.empty(), Optional.empty());

        assertThat(TableRecordCodec.encode(bare.with(List.of(policy)).with(List.of())))
                .isEqualTo(TableRecordCodec.encode(bare));
        assertThat(bare.with(List.of(policy)).deleting().policies()).isEmpty();
    }

    @Test
    void decodeRejectsTableRecord_whenVersionStateOrLengthIsBad() {
        for (String malformed :
                new String[] {
                    "",
                    "01",
                    "0301000000000000000754",
                    "0103000000000000000754",
                    "02010000000000000007",
                    "0201000000000000000700000005" + "54616231",
                    "02010000000000000007ffffffff" + "54616231",
                    "0201000000000000000700000001" + "54" + "0a02"
                }) {
            assertThatThrownBy(() -> TableRecordCodec.decode(HexFormat.of().parseHex(malformed)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
