package io.parterre.server.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StalenessTest {
    @Test
    void stalenessIsRoundedUpToMilliseconds() {
        assertThat(Staleness.millis(0, 0)).isZero();
        assertThat(Staleness.millis(0, 1)).isEqualTo(1);
        assertThat(Staleness.millis(0, 1_000_000)).isEqualTo(1);
        assertThat(Staleness.millis(0, 1_000_001)).isEqualTo(2);
    }

    @Test
    void stalenessIsNeverNegative() {
        assertThat(Staleness.millis(5_000_000, 0)).isZero();
    }

    @Test
    void stalenessIsCorrect_whenTickerWrapsAround() {
        assertThat(Staleness.millis(Long.MAX_VALUE, Long.MIN_VALUE + 3_000_000)).isEqualTo(4);
    }
}
