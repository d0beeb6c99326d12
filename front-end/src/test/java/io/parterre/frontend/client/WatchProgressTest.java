package io.parterre.frontend.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WatchProgressTest {
    private static final long NOW = -5;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    private final WatchProgress started = WatchProgress.atStart(NOW);

    @Test
    void wholeMapIsWanted_untilItHasCome() {
        assertThat(started.wholeWanted()).isTrue();
        assertThat(started.updated(false).wholeWanted()).isTrue();
        assertThat(started.updated(true).wholeWanted()).isFalse();
        assertThat(started.updated(true).ended().wholeWanted()).isFalse();
        assertThat(started.updated(true).refreshed(NOW).wholeWanted()).isTrue();
    }

    @Test
    void wholeMapIsAskedForOnceASecond() {
        assertThat(started.mayRefresh(NOW)).isTrue();
        WatchProgress opened = started.opened(NOW);
        assertThat(opened.mayRefresh(NOW + SECOND - 1)).isFalse();
        assertThat(opened.mayRefresh(NOW + SECOND)).isTrue();
        assertThat(opened.refreshed(NOW + SECOND).mayRefresh(NOW + SECOND)).isFalse();
    }

    @Test
    void streamThatAsksForChangesDoesNotDelayTheWholeMap() {
        WatchProgress known = started.updated(true);
        assertThat(known.opened(NOW).mayRefresh(NOW)).isTrue();
    }

    @Test
    void failuresAreCounted_untilAnUpdateComes() {
        assertThat(started.ended().ended().failures()).isEqualTo(2);
        assertThat(started.ended().opened(NOW).failures()).isEqualTo(1);
        assertThat(started.ended().updated(false).failures()).isZero();
    }

    @Test
    void pausesDoubleUpToTheLongest() {
        ClusterClientConfig config = ClusterClientConfig.DEFAULT;
        assertThat(config.reconnectDelay(0)).isEqualTo(config.reconnectDelayMin());
        assertThat(config.reconnectDelay(3)).isEqualTo(config.reconnectDelayMin().multipliedBy(8));
        assertThat(config.reconnectDelay(6)).isEqualTo(config.reconnectDelayMax());
        assertThat(config.reconnectDelay(Integer.MAX_VALUE)).isEqualTo(config.reconnectDelayMax());
    }
}
