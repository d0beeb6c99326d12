package io.parterre.server.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows written by the first version stay readable. */
final class ReplicaPhaseTest {
    @Test
    void decodeReadsReplicaPhase_whenWrittenInFirstVersion() {
        assertThat(ReplicaPhase.decode(new byte[] {1, 1})).isEqualTo(ReplicaPhase.JOINING);
        assertThat(ReplicaPhase.decode(new byte[] {1, 2})).isEqualTo(ReplicaPhase.JOINED);
        assertThat(ReplicaPhase.decode(new byte[] {1, 3})).isEqualTo(ReplicaPhase.INSTALLING);
        assertThat(ReplicaPhase.decode(new byte[] {1, 4})).isEqualTo(ReplicaPhase.REMOVING);
        assertThat(ReplicaPhase.decode(new byte[] {1, 6})).isEqualTo(ReplicaPhase.ABSORBED);
    }

    @ParameterizedTest
    @EnumSource(ReplicaPhase.class)
    void decodeReturnsReplicaPhaseThatEncodeWrote(ReplicaPhase phase) {
        assertThat(ReplicaPhase.decode(phase.encode())).isEqualTo(phase);
    }

    @Test
    void decodeRejectsReplicaPhase_whenUnknownOrTruncated() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicaPhase.decode(new byte[] {2, 1}));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ReplicaPhase.decode(new byte[] {1, 9}));
        assertThatIllegalArgumentException().isThrownBy(() -> ReplicaPhase.decode(new byte[] {1}));
    }
}
