package io.parterre.manager.reason;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.google.protobuf.InvalidProtocolBufferException;
import io.parterre.proto.journal.ReasonArgument;
import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReasonCodecTest {
    /** One argument of each kind. */
    private static final Reason ALL =
            new Reason(
                    9_999,
                    List.of(
                            Argument.of(new RangeId(7)),
                            Argument.of(new NodeId("n1")),
                            Argument.of(-3),
                            Argument.of(2.5),
                            Argument.of(new ByteCount(1_024)),
                            Argument.of("16GiB"),
                            Argument.of(ReasonCode.DONE.of())));

    /** As the first release that had codes wrote it. */
    private static final String BYTES =
            "088f4e12020807120412026e311202180512092100000000000004401203288008"
                    + "12073205313647694212053a0308f702";

    private static io.parterre.proto.journal.Reason coded(Reason reason) {
        return ReasonCodec.coded(reason).orElseThrow();
    }

    @Test
    void reasonIsWhatItWas_whenReadBack() throws InvalidProtocolBufferException {
        assertThat(ReasonCodec.words(ALL)).isEmpty();
        assertThat(ReasonCodec.fromProto("", coded(ALL))).isEqualTo(ALL);
        assertThat(HexFormat.of().formatHex(coded(ALL).toByteArray())).isEqualTo(BYTES);
        assertThat(
                        ReasonCodec.fromProto(
                                "",
                                io.parterre.proto.journal.Reason.parseFrom(
                                        HexFormat.of().parseHex(BYTES))))
                .isEqualTo(ALL);
    }

    @Test
    void sentenceOfEarlierReleaseStays_whenReadAndWritten() {
        Reason read =
                ReasonCodec.fromProto(
                        "50 % hot", io.parterre.proto.journal.Reason.getDefaultInstance());
        assertThat(read).hasToString("50 % hot");
        assertThat(ReasonCodec.words(read)).isEqualTo("50 % hot");
        assertThat(ReasonCodec.coded(read)).isEmpty();
        assertThat(ALL.inWords()).isEqualTo(Reason.words(ALL.toString()));
    }

    @Test
    void reasonIsAbsent_whenThereAreNeitherWordsNorCode() {
        assertThat(ReasonCodec.optional("", io.parterre.proto.journal.Reason.getDefaultInstance()))
                .isEmpty();
        assertThat(ReasonCodec.optional("", coded(ALL))).contains(ALL);
    }

    @Test
    void reasonIsRefused_whenArgumentIsMissing() {
        io.parterre.proto.journal.Reason message =
                io.parterre.proto.journal.Reason.newBuilder()
                        .setCode(200)
                        .addArguments(ReasonArgument.getDefaultInstance())
                        .build();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReasonCodec.fromProto("", message))
                .withMessage("argument of a reason: missing");
    }
}
