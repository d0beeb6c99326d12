package io.parterre.manager.reason;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.range.RangeId;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ReasonTextTest {
    private static final Pattern PLACE = Pattern.compile("%(s|d|\\.\\df)");

    private static final NodeId NODE = new NodeId("n1");
    private static final RangeId RANGE = new RangeId(7);

    /** What the places of a code's sentence are, as "ssf". */
    private static String places(ReasonCode code) {
        StringBuilder places = new StringBuilder();
        Matcher matcher = PLACE.matcher(code.sentence());
        while (matcher.find()) {
            places.append(matcher.group(1).charAt(matcher.group(1).length() - 1));
        }
        return places.toString();
    }

    private static String given(ReasonCode code) {
        return places(code).isEmpty() ? "-" : places(code);
    }

    private static Object[] arguments(ReasonCode code) {
        return places(code)
                .chars()
                .mapToObj(place -> place == 's' ? "it" : place == 'd' ? (Object) 3 : 2.5)
                .toArray();
    }

    @ParameterizedTest
    @EnumSource
    void sentenceHasAllArguments_whateverTheCode(ReasonCode code) {
        Object[] arguments = arguments(code);
        assertThat(code.of(arguments).toString()).doesNotContain("%s", "%d", "reason ");
        for (Object argument : arguments) {
            if (argument.equals("it")) {
                assertThat(code.of(arguments).toString()).contains("it");
            }
        }
    }

    @Test
    void sentencesDiffer_whenCodesDiffer() {
        assertThat(Arrays.stream(ReasonCode.values()))
                .filteredOn(code -> !code.sentence().equals("%s"))
                .extracting(ReasonCode::sentence)
                .doesNotHaveDuplicates();
    }

    /**
     * Journals hold them. A line is added for a new code, and none is ever changed: what a journal
     * holds would read as something else.
     */
    @Test
    void numbersAndPlacesStay_onceGiven() throws IOException {
        try (InputStream given = getClass().getResourceAsStream("/reason-codes.txt")) {
            assertThat(Arrays.stream(ReasonCode.values()))
                    .extracting(code -> code.number() + " " + code + " " + given(code))
                    .containsExactlyElementsOf(
                            new String(given.readAllBytes(), StandardCharsets.UTF_8)
                                    .lines()
                                    .toList());
        }
    }

    @Test
    void sentenceHoldsCause_howeverDeep() {
        Reason holds = ReasonCode.HOLDS.of(new ByteCount(3L << 29), "1GiB");
        assertThat(ReasonCode.MEMBER_IS_FULL.of(holds, NODE))
                .hasToString(
                        "it holds 1.5 GiB (limit: 1GiB), node n1 holds as many replicas as a node"
                                + " may");
        assertThat(ReasonCode.OTHERS_ARE_BUSIER.of(holds, NODE, 2.4, NODE, 3.6))
                .hasToString(
                        "it holds 1.5 GiB (limit: 1GiB), node n1 would have 2 then, node n1 has 4"
                                + " now");
        assertThat(Reason.all(List.of(holds, ReasonCode.RANGE_HAS_LEADER.of(RANGE))))
                .hasToString("it holds 1.5 GiB (limit: 1GiB); range 7 is led");
        assertThat(Reason.all(List.of(holds))).isEqualTo(holds);
    }

    @Test
    void numberAndArgumentsAreShown_whenCodeIsOfNewerRelease() {
        Reason newer =
                new Reason(9_999, List.of(Argument.of(RANGE), Argument.of("x"), Argument.of(12)));
        assertThat(newer).hasToString("reason 9999 (7, x, 12)");
        assertThat(ReasonCode.BECAUSE.of("LOAD", newer))
                .hasToString("LOAD: reason 9999 (7, x, 12)");
    }

    @Test
    void numberAndArgumentsAreShown_whenTheyDoNotFitSentence() {
        assertThat(new Reason(ReasonCode.IS_ASKED.number(), List.of(Argument.of("x"))))
                .hasToString("reason " + ReasonCode.IS_ASKED.number() + " (x)");
    }

    @Test
    void bytesReadInLargestUnitThatFits() {
        assertThat(new ByteCount(1_023)).hasToString("1023 bytes");
        assertThat(new ByteCount(1_024)).hasToString("1.0 KiB");
        assertThat(new ByteCount(3L << 29)).hasToString("1.5 GiB");
        assertThat(new ByteCount(5L << 50)).hasToString("5120.0 TiB");
    }

    @Test
    void bytesCountAllArguments_ofCausesToo() {
        Reason dead = new Reason(1, List.of(Argument.of(NODE)));
        assertThat(Reason.words("because").bytes()).isEqualTo(40 + 2 * 7);
        assertThat(dead.bytes()).isEqualTo(40 + 2 * 2);
        assertThat(new Reason(2, List.of(Argument.of(dead), Argument.of(RANGE))).bytes())
                .isEqualTo(40 + dead.bytes() + 40);
    }
}
