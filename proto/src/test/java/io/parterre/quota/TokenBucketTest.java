package io.parterre.quota;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Rate TEN = Rate.of(10, 2);

    /** How many requests of one pass when a caller tries once each millisecond. */
    private static int passed(Rate rate, Duration time) {
        TokenBucket bucket = TokenBucket.full(rate, 0);
        int passed = 0;
        for (long now = 0; now < time.toNanos(); now += 1_000_000) {
            bucket = bucket.at(now, rate);
            if (bucket.has(1, rate)) {
                bucket = bucket.without(1);
                passed++;
            }
        }
        return passed;
    }

    @Test
    void bucketGrantsBurstThenConfiguredRate() {
        assertThat(passed(TEN, Duration.ofSeconds(10))).isBetween(119, 120);
        assertThat(passed(Rate.of(1_000, 0), Duration.ofSeconds(10))).isBetween(9_990, 10_001);
    }

    @Test
    void bucketNeverHoldsMoreThanItsBurst() {
        TokenBucket later = TokenBucket.full(TEN, 0).without(5).at(3_600 * SECOND, TEN);
        assertThat(later.tokens()).isEqualTo(20);
        assertThat(later.isFull(TEN)).isTrue();
        assertThat(later.without(1).isFull(TEN)).isFalse();
    }

    @Test
    void bucketReportsWaitTime_whenEmpty() {
        TokenBucket empty = TokenBucket.full(TEN, 0).without(20);
        assertThat(empty.until(1, TEN)).isEqualTo(Duration.ofMillis(100));
        assertThat(empty.at(SECOND / 10, TEN).until(1, TEN)).isEqualTo(Duration.ZERO);
        assertThat(empty.at(SECOND / 10, TEN).has(1, TEN)).isTrue();
    }

    @Test
    void costAboveBurstIsGrantedAsDebt_whenBucketIsFull() {
        TokenBucket bucket = TokenBucket.full(TEN, 0);
        assertThat(bucket.has(100, TEN)).isTrue();
        TokenBucket debt = bucket.without(100);
        assertThat(debt.at(8 * SECOND, TEN).has(1, TEN)).isFalse();
        assertThat(debt.at(8 * SECOND + SECOND / 10, TEN).has(1, TEN)).isTrue();
        assertThat(debt.until(100, TEN)).isEqualTo(Duration.ofSeconds(10));
    }

    @Test
    void bucketIgnoresBackwardTickerAndAppliesLowerRateAtOnce() {
        TokenBucket bucket = new TokenBucket(3, SECOND);
        assertThat(bucket.at(0, TEN)).isEqualTo(bucket);
        assertThat(bucket.at(SECOND, Rate.of(1, 1)).tokens()).isEqualTo(1);
    }

    @Test
    void bucketRefills_whenTickerOverflowsToNegative() {
        TokenBucket bucket = TokenBucket.full(TEN, Long.MAX_VALUE).without(20);
        assertThat(bucket.at(Long.MIN_VALUE + SECOND - 1, TEN).tokens()).isEqualTo(10);
    }

    @Test
    void rateIsRejected_whenRateOrBurstIsOutOfBounds() {
        assertThatThrownBy(() -> new Rate(0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(1, 0.5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Rate(Double.NaN, 1))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
