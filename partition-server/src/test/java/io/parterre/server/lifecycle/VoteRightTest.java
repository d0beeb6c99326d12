package io.parterre.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class VoteRightTest {
    /** In the order of the events. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "VOTES             | UNCONFIRMED VOTES_UNCONFIRMED VOTES VOTES"
                        + " VOTES VOTES VOTES VOTES",
                "VOTES_UNCONFIRMED | UNCONFIRMED VOTES_UNCONFIRMED VOTES_UNCONFIRMED"
                        + " VOTES_UNCONFIRMED VOTES_UNCONFIRMED VOTES VOTES_UNCONFIRMED VOTES",
                "VOTES_CALLED      | UNCONFIRMED VOTES_UNCONFIRMED VOTES_CALLED VOTES_CALLED"
                        + " VOTES_CALLED VOTES REGRESSED VOTES",
                "UNCONFIRMED       | UNCONFIRMED UNCONFIRMED UNCONFIRMED VOTES_CALLED"
                        + " UNCONFIRMED VOTES REGRESSED GIVEN_UP",
                "REGRESSED         | REGRESSED REGRESSED REGRESSED REGRESSED"
                        + " REGRESSED VOTES REGRESSED GIVEN_UP",
                "GIVEN_UP          | UNCONFIRMED UNCONFIRMED GIVEN_UP VOTES"
                        + " GIVEN_UP VOTES REGRESSED GIVEN_UP"
            })
    void voteRightAfterEachEvent(VoteRight right, String next) {
        List<VoteRight> after = Arrays.stream(ConfirmationEvent.values()).map(right::on).toList();
        assertThat(after)
                .isEqualTo(Arrays.stream(next.split(" ")).map(VoteRight::valueOf).toList());
    }

    @ParameterizedTest
    @CsvSource({
        "VOTES,             true,  false",
        "VOTES_UNCONFIRMED, true,  true",
        "VOTES_CALLED,      true,  true",
        "UNCONFIRMED,       false, true",
        "REGRESSED,         false, true",
        "GIVEN_UP,          false, false"
    })
    void eachRightSaysWhetherItVotesAndAsks(VoteRight right, boolean mayVote, boolean asks) {
        assertThat(right.mayVote()).isEqualTo(mayVote);
        assertThat(right.asks()).isEqualTo(asks);
    }

    @ParameterizedTest
    @CsvSource({
        "true,  true,  true,  GIVEN_UP",
        "true,  false, false, GIVEN_UP",
        "false, true,  true,  REGRESSED",
        "false, true,  false, REGRESSED",
        "false, false, true,  CONFIRMED",
        "false, false, false, UNCONFIRMED"
    })
    void answerIsTheWorstThatItSays(
            boolean givenUp, boolean regressed, boolean confirms, ConfirmationEvent answered) {
        assertThat(ConfirmationEvent.answered(givenUp, regressed, confirms)).isEqualTo(answered);
    }

    @Test
    void memberThatLostEntriesStopsVoting_afterAllHaveCalled() {
        VoteRight right = VoteRight.UNCONFIRMED.on(ConfirmationEvent.ALL_CALLED);
        assertThat(right.mayVote()).isTrue();
        assertThat(right.on(ConfirmationEvent.REGRESSED).mayVote()).isFalse();
        assertThat(VoteRight.VOTES_UNCONFIRMED.on(ConfirmationEvent.REGRESSED).mayVote())
                .as("the only member")
                .isTrue();
    }

    /** A deposed manager does not know what was lost; the others must not elect with this vote. */
    @Test
    void regressedMemberWaitsForConfirmation_whateverElseHappens() {
        VoteRight right = VoteRight.UNCONFIRMED.on(ConfirmationEvent.REGRESSED);
        right = right.on(ConfirmationEvent.UNCONFIRMED).on(ConfirmationEvent.ALL_CALLED);
        assertThat(right.mayVote()).isFalse();
        assertThat(right.on(ConfirmationEvent.CONFIRMED).mayVote()).isTrue();
    }
}
