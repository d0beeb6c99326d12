package io.parterre.server.raft;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** Rows written by the first version stay readable. */
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
    void decodeRejectsAppliedPosition_whenVersionIsNewer() {
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () ->
                                AppliedPosition.decode(
                                        hex("02" + "0000000000000003" + "000000000000002a")));
    }
}
