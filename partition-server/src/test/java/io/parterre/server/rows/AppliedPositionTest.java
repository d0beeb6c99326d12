package io.parterre.server.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Rows written by the first version stay readable, and are still written where they say it all. */
final class AppliedPositionTest {
    private static byte[] hex(String text) {
        return HexFormat.of().parseHex(text);
    }

    @Test
    void decodeReadsAppliedPosition_whenWrittenInFirstVersion() {
        assertThat(AppliedPosition.decode(hex("01" + "0000000000000003" + "000000000000002a")))
                .isEqualTo(new AppliedPosition(3, 42));
    }

    @Test
    void encodeWritesFirstVersion_whenEntryIsWhole() {
        assertThat(new AppliedPosition(3, 42).encode())
                .isEqualTo(hex("01" + "0000000000000003" + "000000000000002a"));
    }

    @Test
    void positionKeepsCommands_whenNextEntryIsBegun() {
        byte[] row = hex("02" + "0000000000000003" + "000000000000002a" + "00000007");
        AppliedPosition begun = new AppliedPosition(3, 42).begun(7);

        assertThat(begun.encode()).isEqualTo(row);
        assertThat(AppliedPosition.decode(row)).isEqualTo(begun);
        assertThat(begun.lastTouched()).isEqualTo(43);
        assertThat(new AppliedPosition(3, 42).lastTouched()).isEqualTo(42);
    }

    @Test
    void decodeRejectsAppliedPosition_whenVersionIsNewer() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                AppliedPosition.decode(
                                        hex("03" + "0000000000000003" + "000000000000002a")));
    }
}
