package io.parterre.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FenceTest {
    @ParameterizedTest
    @CsvSource({
        "OPEN,           false, true,  OPEN",
        "OPEN,           false, false, OPEN",
        "OPEN,           true,  true,  GIVEN_UP",
        // Nothing is given up twice: who says so knows it.
        "OPEN,           true,  false, GIVEN_UP",
        "UNTIL_ANSWERED, false, true,  OPEN",
        "UNTIL_ANSWERED, false, false, UNTIL_ANSWERED",
        "UNTIL_ANSWERED, true,  false, GIVEN_UP",
        "GIVEN_UP,       false, false, GIVEN_UP",
        "GIVEN_UP,       false, true,  GIVEN_UP",
    })
    void fenceFollowsTransitionTable_whenManagerAnswers(
            Fence before, boolean givenUp, boolean counts, Fence after) {
        assertThat(before.after(givenUp, counts)).isEqualTo(after);
    }
}
