package io.parterre.raftlink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class UnansweredEntriesTest {
    private final UnansweredEntries entries = new UnansweredEntries();

    @Test
    void entriesAreSentAgain_onceFollowerAnswersAfterBreak() {
        entries.sent(5, 6);
        entries.sent(7, 7);
        entries.acknowledged(5);
        entries.answered();
        assertThat(entries.repeatFrom(8, false)).as("connected").isEmpty();
        entries.broken();
        assertThat(entries.repeatFrom(8, false)).as("away").isEmpty();
        entries.answered();
        assertThat(entries.repeatFrom(8, false)).hasValue(6);
        entries.repeated();
        assertThat(entries.repeatFrom(8, false)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whenAllEntriesAreAcknowledged() {
        entries.sent(5, 6);
        entries.acknowledged(6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(7, false)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whenAcknowledgementFollowsBreak() {
        entries.sent(5, 6);
        entries.broken();
        entries.acknowledged(6);
        entries.answered();
        assertThat(entries.repeatFrom(7, false)).isEmpty();
    }

    @Test
    void nothingIsSentAgain_whileAnswersAreExpected() {
        entries.sent(5, 6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(7, true)).isEmpty();
        assertThat(entries.repeatFrom(7, false)).hasValue(5);
    }

    @Test
    void nothingIsSentAgain_whenFollowerAskedForEntriesItself() {
        entries.sent(5, 6);
        entries.broken();
        entries.answered();
        assertThat(entries.repeatFrom(5, false)).isEmpty();
    }
}
