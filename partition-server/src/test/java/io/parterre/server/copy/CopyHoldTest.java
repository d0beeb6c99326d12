package io.parterre.server.copy;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.range.NodeId;
import io.parterre.server.change.FollowerState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class CopyHoldTest {
    private static final long SECOND = 1_000_000_000;

    private static final Optional<List<FollowerState>> ALONE = Optional.of(List.of());

    private final CopyHold hold = new CopyHold();

    private static Optional<List<FollowerState>> at(long matchIndex) {
        return Optional.of(List.of(new FollowerState(new NodeId("b"), matchIndex, Duration.ZERO)));
    }

    @Test
    void logIsRetained_whileSnapshotIsOpen() {
        assertThat(hold.holds(ALONE, 0)).isFalse();
        hold.opened();
        assertThat(hold.holds(ALONE, 3_600 * SECOND)).isTrue();
        hold.dropped();
        assertThat(hold.holds(ALONE, 3_600 * SECOND)).isFalse();
    }

    @Test
    void logIsRetained_untilReceiverAdvancesPastSnapshot() {
        hold.opened();
        hold.closed("b", 70, 0);
        assertThat(hold.holds(at(-1), SECOND)).isTrue();
        assertThat(hold.holds(at(70), SECOND)).isTrue();
        assertThat(hold.holds(at(71), SECOND)).isFalse();
        assertThat(hold.holds(ALONE, SECOND)).isFalse();
    }

    @Test
    void logIsReleased_whenReceiverMakesNoProgressInTime() {
        hold.opened();
        hold.closed("b", 70, 0);
        assertThat(hold.holds(at(-1), 30 * SECOND)).isTrue();
        assertThat(hold.holds(at(-1), 31 * SECOND)).isFalse();
    }

    @Test
    void logIsRetained_whileAnotherSnapshotIsOpen() {
        hold.opened();
        hold.opened();
        hold.closed("b", 70, 0);
        assertThat(hold.holds(at(71), SECOND)).isTrue();
        hold.closed("c", 70, 0);
        assertThat(hold.holds(at(71), 31 * SECOND)).isFalse();
    }

    @Test
    void logIsReleased_whenReplicaIsNotLeader() {
        hold.opened();
        hold.closed("b", 70, 0);
        hold.opened();
        assertThat(hold.holds(Optional.empty(), SECOND)).isFalse();
    }
}
