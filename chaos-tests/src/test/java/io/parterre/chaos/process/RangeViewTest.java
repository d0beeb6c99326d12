package io.parterre.chaos.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.parterre.key.Key;
import io.parterre.key.KeyRange;
import java.util.List;
import org.junit.jupiter.api.Test;

class RangeViewTest {
    private static final Key M = Key.wrap("m".getBytes(UTF_8));
    private static final Key T = Key.wrap("t".getBytes(UTF_8));

    @Test
    void rangeViewParsesOperatorRangeList() throws Exception {
        String answer =
                """
                {"ranges": [
                  {"range": {"rangeId": 1, "start": "", "endExclusive": "bQ==", "generation": 4,
                             "members": ["s1", "s2"]},
                   "leader": "s2"},
                  {"range": {"rangeId": 7, "start": "bQ==", "endExclusive": "/w==",
                             "generation": 4, "members": ["s1"]},
                   "leader": "", "split": {"childRangeId": 8, "step": "to be cut"}}]}
                """;
        List<RangeView> ranges = RangeView.readAll(new ObjectMapper().readTree(answer));
        assertThat(ranges)
                .containsExactly(
                        new RangeView(
                                1, 4, new KeyRange(Key.FIRST, M), "s2", List.of("s1", "s2"), ""),
                        new RangeView(
                                7,
                                4,
                                new KeyRange(M, Key.LAST),
                                "",
                                List.of("s1"),
                                "split to be cut"));
        assertThat(ranges).extracting(RangeView::isAtRest).containsExactly(true, false);
        assertThat(RangeView.wrongCover(ranges)).isEmpty();
    }

    @Test
    void wrongCoverIsReported_whenRangesLeaveGapOrOverlap() {
        assertThat(RangeView.wrongCover(List.of(view(Key.FIRST, M), view(T, Key.LAST))))
                .isPresent();
        assertThat(RangeView.wrongCover(List.of(view(Key.FIRST, T), view(M, Key.LAST))))
                .isPresent();
        assertThat(RangeView.wrongCover(List.of(view(Key.FIRST, M)))).isPresent();
        assertThat(RangeView.wrongCover(List.of(view(M, Key.LAST)))).isPresent();
        assertThat(RangeView.wrongCover(List.of())).isPresent();
    }

    private static RangeView view(Key start, Key endExclusive) {
        return new RangeView(1, 1, new KeyRange(start, endExclusive), "s1", List.of("s1"), "");
    }
}
