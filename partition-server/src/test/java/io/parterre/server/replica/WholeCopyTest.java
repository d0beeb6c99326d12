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
        copy.replaced();
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

    @Test
    void rowsAreNoWholeCopy_onceReplicaIsGivenUp() {
        assertThat(copy.number(ReplicaPhase.REMOVING)).isEmpty();
        assertThat(copy.number(ReplicaPhase.ABSORBED)).isEmpty();
    }
}
