package io.parterre.server.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.server.compare.MemberAnswer.Why;
import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TurnTest {
    private static final Duration DAY = Duration.ofHours(24);
    private static final NodeId ODD = new NodeId("node-3");
    private static final ComparisonVerdict DIFFERS = new ComparisonVerdict.Differ(Set.of(ODD));
    private static final ComparisonVerdict EQUAL = new ComparisonVerdict.Equal();

    private static Turn fresh() {
        return Turn.first(0, 0, DAY);
    }

    private static ComparisonVerdict open(Why why) {
        return new ComparisonVerdict.Open(why);
    }

    @Test
    void firstTurnsAreSpreadOverAnInterval() {
        assertThat(Turn.first(5, 0, DAY).isDue(5)).isTrue();
        assertThat(Turn.first(0, 0.5, DAY).isDue(DAY.toNanos() / 2 - 1)).isFalse();
        assertThat(Turn.first(0, 0.5, DAY).isDue(DAY.toNanos() / 2)).isTrue();
    }

    @Test
    void nextTurnComesAfterAboutAnInterval() {
        assertThat(fresh().after(EQUAL, 0, 0, DAY).isDue(DAY.toNanos() * 9 / 10 - 1)).isFalse();
        assertThat(fresh().after(EQUAL, 0, 1, DAY).isDue(DAY.toNanos() * 11 / 10 + 1)).isTrue();
    }

    @Test
    void targetIsTheLastEntry_whenNothingIsWritten() {
        assertThat(fresh().target(400, true, 0)).isEqualTo(400);
    }

    @Test
    void targetLiesAhead_whenEntriesComeIn() {
        assertThat(fresh().target(400, false, 0)).isEqualTo(408);
        assertThat(fresh().target(400, false, 500)).isEqualTo(1400);
    }

    @Test
    void targetLiesFurtherAhead_whenAMemberHasPassedIt() {
        Turn once = fresh().after(open(Why.PASSED), 0, 0, DAY);
        assertThat(once.isDue(0)).isTrue();
        assertThat(once.target(400, true, 500)).isEqualTo(2400);
        assertThat(once.after(open(Why.PASSED), 0, 0, DAY).target(400, true, 500)).isEqualTo(4400);
    }

    /** The writes have ended before the entry came. */
    @Test
    void targetIsTheLastEntryAgain_whenTheOneAheadWasNotReached() {
        Turn turn =
                fresh().after(open(Why.PASSED), 0, 0, DAY).after(open(Why.NOT_REACHED), 0, 0, DAY);
        assertThat(turn.target(400, true, 500)).isEqualTo(400);
    }

    @Test
    void retriesGetRarer_whenAMemberDoesNotAnswer() {
        long pause = 0;
        Turn turn = fresh();
        for (int i = 0; i < 5; i++) {
            turn = turn.after(open(Why.UNREACHABLE), 0, 0.5, DAY);
            assertThat(turn.dueNanos()).isGreaterThan(pause);
            pause = turn.dueNanos();
        }
        for (int i = 0; i < 100; i++) {
            turn = turn.after(open(Why.UNREACHABLE), 0, 0.5, DAY);
        }
        assertThat(turn.dueNanos()).isBetween(pause, DAY.toNanos() / 2);
    }

    @Test
    void memberIsConfirmed_whenItDiffersTwiceInARow() {
        assertThat(fresh().confirmed(DIFFERS)).isEmpty();
        Turn suspecting = fresh().after(DIFFERS, 7, 1, DAY);
        assertThat(suspecting.isDue(7)).as("at once").isTrue();
        assertThat(suspecting.confirmed(DIFFERS)).containsExactly(ODD);
        assertThat(suspecting.after(DIFFERS, 7, 0, DAY).isDue(8)).isFalse();
    }

    @Test
    void memberIsNotConfirmed_whenItWasEqualInBetween() {
        Turn turn = fresh().after(DIFFERS, 0, 1, DAY).after(EQUAL, 0, 1, DAY);
        assertThat(turn.confirmed(DIFFERS)).isEmpty();
    }

    @Test
    void memberIsConfirmed_whenTheSecondComparisonHadToBeRepeated() {
        Turn turn = fresh().after(DIFFERS, 0, 1, DAY).after(open(Why.PASSED), 0, 1, DAY);
        assertThat(turn.confirmed(DIFFERS)).containsExactly(ODD);
    }

    @Test
    void anotherMemberIsNotConfirmed_whenOneIsSuspected() {
        ComparisonVerdict other = new ComparisonVerdict.Differ(Set.of(new NodeId("node-2")));
        Turn suspecting = fresh().after(DIFFERS, 0, 1, DAY);
        assertThat(suspecting.confirmed(other)).isEmpty();
        assertThat(suspecting.after(other, 0, 0, DAY).isDue(0)).as("no endless haste").isFalse();
    }
}
