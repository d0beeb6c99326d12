package io.parterre.quota;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class AllowanceTest {
    private static final long SECOND = 1_000_000_000L;
    private static final Limit BOTH =
            new Limit(Optional.of(Rate.of(2, 1)), Optional.of(Rate.of(100, 1)));

    @Test
    void waitTimeFollowsScarcerOfRequestsAndBytes() {
        Allowance allowance = Allowance.full(0).at(0, BOTH);
        assertThat(allowance.until(100, BOTH)).isZero();
        Allowance left = allowance.without(1, 100);
        assertThat(left.until(0, BOTH)).isZero();
        assertThat(left.until(50, BOTH)).isEqualTo(Duration.ofMillis(500));
        assertThat(left.without(1, 0).until(0, BOTH)).isEqualTo(Duration.ofMillis(500));
    }

    @Test
    void allowanceIsNeverUsedUp_withoutALimit() {
        Allowance allowance = Allowance.full(0).without(1_000, 1_000_000).at(1, Limit.NONE);
        assertThat(allowance.until(1_000_000, Limit.NONE)).isZero();
        assertThat(allowance.isFull(Limit.NONE)).isTrue();
        Limit requestsOnly = new Limit(BOTH.requests(), Optional.empty());
        assertThat(allowance.at(2, requestsOnly).until(1_000_000, requestsOnly)).isZero();
    }

    @Test
    void allowanceStartsWithFullBurst_whenLimitIsIntroduced() {
        Allowance allowance = Allowance.full(0).at(SECOND, Limit.NONE).at(SECOND, BOTH);
        assertThat(allowance.requests().tokens()).isEqualTo(2);
        assertThat(allowance.isFull(BOTH)).isTrue();
    }

    @Test
    void allowanceIsRestored_whenCostIsReturned() {
        Allowance allowance = Allowance.full(0).at(0, BOTH);
        assertThat(allowance.without(1, 7).without(-1, -7)).isEqualTo(allowance);
        assertThat(allowance.without(1, 7).isFull(BOTH)).isFalse();
    }

    @Test
    void quotaShareDividesRateAmongFrontEnds_withMinimumBurst() {
        assertThat(QuotaLimits.share(0, 2, 3)).isEmpty();
        assertThat(QuotaLimits.share(300, 2, 3)).contains(new Rate(100, 200));
        assertThat(QuotaLimits.share(300, 2, 0)).contains(new Rate(300, 600));
        assertThat(QuotaLimits.share(1, 2, 10))
                .as("at least one at a time")
                .contains(new Rate(0.1, 1));
    }
}
