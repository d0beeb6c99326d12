package io.parterre.server.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.parterre.range.RangeId;
import io.parterre.server.lifecycle.ReplicaPhase;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.Test;

final class WholeCopyTest {
    private final WholeCopy copy = new WholeCopy(new RangeId(7));

    @Test
    void copyHasAnotherNumber_onceAnotherHasTakenItsPlace() {
        assertThat(copy.number(ReplicaPhase.FOUNDED)).hasValue(0);
        copy.replacing();
        copy.replaced(9);
        assertThat(copy.number(ReplicaPhase.JOINED)).hasValue(1);
        copy.require();
    }

    @Test
    void rowsAreNoWholeCopy_whileTheyAreReplaced() {
        copy.replacing();
        assertThat(copy.number(ReplicaPhase.FOUNDED)).isEmpty();
        assertThatExceptionOfType(CancellationException.class)
                .isThrownBy(copy::require)
                .withMessageContaining("range 7");
    }

    /** What waits for an entry need not be brought another copy then. */
    @Test
    void entryIsCopied_onceCopyIsBeingPutInTheRowsPlace() {
        assertThat(copy.isCopied(9)).isFalse();
        copy.replacing();
        assertThat(copy.isCopied(9)).isTrue();
        assertThat(copy.holds(9)).isFalse();
        copy.replaced(9);
        assertThat(copy.isCopied(9)).isTrue();
        assertThat(copy.holds(9)).isTrue();
        assertThat(copy.isCopied(10)).isFalse();
    }

    @Test
    void rowsAreNoWholeCopy_onceReplicaIsGivenUp() {
        assertThat(copy.number(ReplicaPhase.REMOVING)).isEmpty();
        assertThat(copy.number(ReplicaPhase.ABSORBED)).isEmpty();
    }
}
