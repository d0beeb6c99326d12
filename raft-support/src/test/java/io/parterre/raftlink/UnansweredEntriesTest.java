package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnansweredEntriesTest {
    private static final long SECOND = 1_000_000_000;

    private final UnansweredEntries entries = new UnansweredEntries();

    @Test
    void entriesAreSentAgain_onceFollowerAnswersAfterBreak() {
        entries.sent(5, 6);
        entries.sent(7, 7);
        entries.acknowledged(5);
        entries.answered();
        assertThat(entries.repeatFrom(8, -1, false, SECOND)).as("connected").isEmpty();
        entries.broken();
        assertThat(entries.repeatFrom(8, -1, false, SECOND)).as("away").isEmpty();
        entries.answered();
        assertThat(entries.repeatFrom(8, -1, false, SECOND)).hasValue(6);
        entries.repeated(SECOND);
        assertThat(entries.repeatFrom(8, -1, false, SECOND)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whenAllEntriesAreAcknowledged() {
        entries.sent(5, 6);
        entries.acknowledged(6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(7, -1, false, SECOND)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whenAcknowledgementFollowsBreak() {
        entries.sent(5, 6);
        entries.broken();
        entries.acknowledged(6);
        entries.answered();
        assertThat(entries.repeatFrom(7, -1, false, SECOND)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whileAnswersAreExpected() {
        entries.sent(5, 6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(7, -1, true, SECOND)).isEmpty();
        assertThat(entries.repeatFrom(7, -1, false, SECOND)).hasValue(5);
    }

    @Test
    void nothingIsSentAgain_whenFollowerAskedForEntriesItself() {
        entries.sent(5, 6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(5, -1, false, SECOND)).isEmpty();
    }

    @Test
    void committedEntriesAreNotSentAgain() {
        entries.sent(5, 8);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(9, 6, false, SECOND)).hasValue(7);
        assertThat(entries.repeatFrom(9, 8, false, SECOND)).isEmpty();
    }

    @Test
    void entriesCount_whenFollowerKnowsThemAsCommittedAfterBreak() {
        entries.sent(5, 8);
        assertThat(entries.committed(8)).as("an acknowledgement is expected").isFalse();
        entries.broken();
        assertThat(entries.committed(4)).isFalse();
        assertThat(entries.committed(6)).isTrue();
        entries.answered();
        assertThat(entries.repeatFrom(9, -1, false, SECOND)).hasValue(7);
        assertThat(entries.committed(8)).isTrue();
        assertThat(entries.repeatFrom(9, -1, false, SECOND)).isEmpty();
    }

    @Test
    void repeatsAreTenSecondsApart_whenFollowerDoesNotAcknowledge() {
        entries.sent(5, 6);
        entries.broken();
        entries.answered();
        entries.repeated(SECOND);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(7, -1, false, 10 * SECOND)).isEmpty();
        assertThat(entries.repeatFrom(7, -1, false, 11 * SECOND)).hasValue(5);
    }
}
