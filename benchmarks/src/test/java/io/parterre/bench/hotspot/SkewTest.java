package io.parterre.bench.hotspot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

final class SkewTest {
    private static final double EXACT = 1e-9;

    @Test
    void zipfSharesDecayWithRankAroundHotSpot() {
        Skew skew = Skew.zipf(100, 1, 40);
        double hottest = skew.share(40, 41);
        assertThat(skew.share(0, 100)).isCloseTo(1, within(EXACT));
        assertThat(skew.share(39, 40)).isCloseTo(hottest / 2, within(EXACT));
        assertThat(skew.share(41, 42)).isCloseTo(hottest / 3, within(EXACT));
        assertThat(skew.share(38, 39)).isCloseTo(hottest / 4, within(EXACT));
        assertThat(skew.share(90, 91)).isCloseTo(hottest / 100, within(EXACT));
    }

    @Test
    void skewDrawsPartitionsByTheirShares() {
        Skew skew = Skew.zipf(4, 0, 0);
        assertThat(skew.draw(0)).isZero();
        assertThat(skew.draw(0.24)).isZero();
        assertThat(skew.draw(0.26)).isEqualTo(1);
        assertThat(skew.draw(0.5)).isEqualTo(2);
        assertThat(skew.draw(Math.nextDown(1.0))).isEqualTo(3);
    }

    @Test
    void evenSkewGivesEqualShares() {
        Skew skew = Skew.even(10);
        for (int i = 0; i < 10; i++) {
            assertThat(skew.share(i, i + 1)).isCloseTo(0.1, within(EXACT));
        }
    }
}
