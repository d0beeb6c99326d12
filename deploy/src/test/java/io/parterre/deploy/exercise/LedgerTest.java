package io.parterre.deploy.exercise;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.deploy.exercise.LedgerLine.Kind;
import org.junit.jupiter.api.Test;

class LedgerTest {
    private static final EntityKey KEY = new EntityKey("p", "r");

    private final Ledger ledger = new Ledger();

    private void apply(Kind kind, long version) {
        ledger.apply(new LedgerLine(kind, KEY, version));
    }

    @Test
    void readingIsRight_whenItIsTheAcknowledgedVersion() {
        apply(Kind.SENT, 1);
        apply(Kind.ACKNOWLEDGED, 1);
        assertThat(ledger.contradiction(KEY, 1)).isEmpty();
    }

    @Test
    void readingIsWrong_whenAcknowledgedWriteIsMissing() {
        apply(Kind.SENT, 1);
        apply(Kind.ACKNOWLEDGED, 1);
        assertThat(ledger.contradiction(KEY, 0)).hasValue("p/r: no entity (expected: 1)");
        apply(Kind.SENT, 2);
        apply(Kind.ACKNOWLEDGED, 2);
        assertThat(ledger.contradiction(KEY, 1)).hasValue("p/r: version 1 (expected: 2)");
    }

    @Test
    void readingIsWrong_whenVersionWasNeverSent() {
        apply(Kind.SENT, 1);
        apply(Kind.ACKNOWLEDGED, 1);
        assertThat(ledger.contradiction(KEY, 2)).isPresent();
    }

    @Test
    void bothReadingsAreRight_whenWriteIsInDoubt() {
        apply(Kind.SENT, 1);
        apply(Kind.ACKNOWLEDGED, 1);
        apply(Kind.SENT, 2);
        apply(Kind.CLOSED, 2);
        assertThat(ledger.contradiction(KEY, 1)).isEmpty();
        assertThat(ledger.contradiction(KEY, 2)).isEmpty();
        assertThat(ledger.contradiction(KEY, 0)).hasValue("p/r: no entity (expected: 1 to 2)");
    }

    @Test
    void keyGetsNoOtherVersion_whenItIsClosed() {
        apply(Kind.SENT, 1);
        apply(Kind.CLOSED, 1);
        assertThatThrownBy(() -> apply(Kind.SENT, 2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("SENT p/r 2 after version 1, closed");
    }

    @Test
    void lineIsRejected_whenVersionIsNotTheOneSent() {
        assertThatThrownBy(() -> apply(Kind.SENT, 2)).hasMessage("SENT p/r 2 after version 0");
        apply(Kind.SENT, 1);
        assertThatThrownBy(() -> apply(Kind.ACKNOWLEDGED, 2))
                .hasMessage("ACKNOWLEDGED p/r 2 after version 1");
    }
}
