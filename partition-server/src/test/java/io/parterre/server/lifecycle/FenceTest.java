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
            Fence before, boolean givenUp, boolean confirms, Fence after) {
        ConfirmationEvent answered = ConfirmationEvent.answered(givenUp, false, confirms);
        assertThat(before.on(answered)).isEqualTo(after);
    }

    @ParameterizedTest
    @CsvSource({
        // FOUND, FOUND_ALONE, JOINED_OTHERS, ALL_CALLED, REGRESSED
        "OPEN,           UNTIL_ANSWERED, UNTIL_ANSWERED, OPEN,     OPEN,           OPEN",
        "UNTIL_ANSWERED, UNTIL_ANSWERED, UNTIL_ANSWERED, OPEN,     UNTIL_ANSWERED, UNTIL_ANSWERED",
        "GIVEN_UP,       GIVEN_UP,       GIVEN_UP,       GIVEN_UP, GIVEN_UP,       GIVEN_UP"
    })
    void fenceAfterEachEventBesideAnswers(
            Fence fence,
            Fence found,
            Fence foundAlone,
            Fence joinedOthers,
            Fence allCalled,
            Fence regressed) {
        assertThat(fence.on(ConfirmationEvent.FOUND)).isEqualTo(found);
        assertThat(fence.on(ConfirmationEvent.FOUND_ALONE)).isEqualTo(foundAlone);
        assertThat(fence.on(ConfirmationEvent.JOINED_OTHERS)).isEqualTo(joinedOthers);
        assertThat(fence.on(ConfirmationEvent.ALL_CALLED)).isEqualTo(allCalled);
        assertThat(fence.on(ConfirmationEvent.REGRESSED)).isEqualTo(regressed);
    }
}
