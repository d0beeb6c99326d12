package io.parterre.bench.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StepTest {
    private static final String JOURNAL =
            """
            {"entries": [
              {"number": 4, "kind": "asked", "verdict": "POLICY", "firstMillis": 100500,
               "lastMillis": 100500, "count": 1, "rangeIds": [], "nodeIds": [], "why": "set"},
              {"number": 5, "kind": "decided", "verdict": "SPLIT", "firstMillis": 103000,
               "lastMillis": 103000, "count": 1, "rangeIds": [1], "nodeIds": ["s2"],
               "why": "LOAD: 900 operations a second are asked of it (limit: 400)"},
              {"number": 6, "kind": "ended", "verdict": "SPLIT", "firstMillis": 103400,
               "lastMillis": 103400, "count": 1, "rangeIds": [1, 2], "nodeIds": [],
               "why": "done: reported"},
              {"number": 0, "kind": "left", "verdict": "NO_BETTER_PLACE", "firstMillis": 104000,
               "lastMillis": 109000, "count": 6, "rangeIds": [2], "nodeIds": [], "why": "..."},
              {"number": 7, "kind": "decided", "verdict": "LEAD", "firstMillis": 110000,
               "lastMillis": 110000, "count": 1, "rangeIds": [2], "nodeIds": ["s2", "s3"],
               "why": "from s2 to s3: busy"},
              {"number": 8, "kind": "ended", "verdict": "MERGE", "firstMillis": 120000,
               "lastMillis": 120000, "count": 1, "rangeIds": [1, 2], "nodeIds": [],
               "why": "range 1 absorbs range 2, was given up: took too long"},
              {"number": 9, "kind": "ended", "verdict": "MERGE", "firstMillis": 130000,
               "lastMillis": 130000, "count": 1, "rangeIds": [1, 2], "nodeIds": [],
               "why": "range 1 absorbs range 2, done: reported"},
              {"number": 10, "kind": "ended", "verdict": "MOVE", "firstMillis": 999000,
               "lastMillis": 999000, "count": 1, "rangeIds": [1], "nodeIds": ["s4"],
               "why": "+s4, BALANCE: done"}
            ], "leftOut": 0}
            """;

    private static List<Step> steps() throws JsonProcessingException {
        return Step.of(new ObjectMapper().readTree(JOURNAL), new RunClock(0, 100_000));
    }

    @Test
    void stepsAreParsedFromManagerJournal() throws JsonProcessingException {
        List<Step> steps = steps();
        assertThat(steps).hasSize(8);
        assertThat(steps.get(1))
                .isEqualTo(
                        new Step(
                                3_000,
                                "decided",
                                "SPLIT",
                                List.of(1L),
                                List.of("s2"),
                                1,
                                "LOAD: 900 operations a second are asked of it (limit: 400)"));
        assertThat(steps.get(3).line()).contains("9.0 s", "left NO_BETTER_PLACE", "(6 times)");
    }

    @Test
    void stepIsDone_whenItWasNotGivenUp() throws JsonProcessingException {
        assertThat(steps())
                .filteredOn(step -> step.isDone("MERGE"))
                .extracting(Step::millis)
                .containsExactly(30_000L);
    }
}
