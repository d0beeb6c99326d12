package io.parterre.frontend.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.BusyReason;
import io.parterre.error.Throttle;
import io.parterre.key.AccountId;
import io.parterre.quota.Limit;
import io.parterre.quota.QuotaLimits;
import io.parterre.quota.Rate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class QuotaGateTest {
    private static final long SECOND = 1_000_000_000L;
    private static final AccountId ONE = new AccountId(1);
    private static final AccountId TWO = new AccountId(2);
    private static final Optional<String> ORDERS = Optional.of("orders");
    private static final Limit TEN =
            new Limit(Optional.of(Rate.of(10, 1)), Optional.of(Rate.of(1_000, 1)));
    private static final Limit FOUR =
            new Limit(Optional.of(Rate.of(4, 1)), Optional.of(Rate.of(1_000, 1)));

    private QuotaLimits limits = QuotaLimits.NONE;
    private final AtomicLong now = new AtomicLong();
    private final QuotaGate gate = new QuotaGate(() -> limits, now::get);

    private int passed(AccountId account, Optional<String> table, int tries) {
        int passed = 0;
        for (int i = 0; i < tries; i++) {
            passed += gate.take(account, table, 1).isEmpty() ? 1 : 0;
        }
        return passed;
    }

    @Test
    void gateKeepsNoState_withoutQuotas() {
        assertThat(passed(ONE, ORDERS, 1_000)).isEqualTo(1_000);
        assertThat(gate.subjects()).isZero();
    }

    @Test
    void accountQuotaIsEnforcedPerAccount() {
        limits = new QuotaLimits(TEN, Limit.NONE);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(10);
        assertThat(gate.take(ONE, Optional.empty(), 1))
                .contains(new Throttle(BusyReason.ACCOUNT_QUOTA, Duration.ofMillis(100)));
        assertThat(passed(TWO, ORDERS, 50)).isEqualTo(10);
        now.addAndGet(SECOND / 2);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(5);
    }

    @Test
    void tableQuotaIsEnforcedPerTable_withNameCaseIgnored() {
        limits = new QuotaLimits(Limit.NONE, FOUR);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(4);
        assertThat(gate.take(ONE, Optional.of("ORDERS"), 1).map(Throttle::reason))
                .contains(BusyReason.TABLE_QUOTA);
        assertThat(passed(ONE, Optional.of("others"), 50)).isEqualTo(4);
        assertThat(passed(TWO, ORDERS, 50)).isEqualTo(4);
        assertThat(passed(ONE, Optional.empty(), 50)).as("about no table").isEqualTo(50);
    }

    @Test
    void accountQuotaIsNotCharged_whenTableQuotaThrottles() {
        limits = new QuotaLimits(TEN, FOUR);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(4);
        assertThat(passed(ONE, Optional.of("a"), 3) + passed(ONE, Optional.of("b"), 3))
                .isEqualTo(6);
        assertThat(gate.take(ONE, Optional.of("c"), 1).map(Throttle::reason))
                .contains(BusyReason.ACCOUNT_QUOTA);
    }

    @Test
    void nextRequestIsThrottled_afterQueryReturnedManyEntities() {
        limits = new QuotaLimits(TEN, Limit.NONE);
        assertThat(gate.take(ONE, ORDERS, 1)).isEmpty();
        gate.charge(ONE, "orders", () -> 2_999);
        assertThat(gate.take(ONE, ORDERS, 1))
                .contains(new Throttle(BusyReason.ACCOUNT_QUOTA, Duration.ofMillis(2_001)));
        now.addAndGet(2_001_000_000L);
        assertThat(gate.take(ONE, ORDERS, 1)).isEmpty();
    }

    @Test
    void queryResultsAreNotCounted_withoutQuotas() {
        limits = QuotaLimits.NONE;
        AtomicInteger counted = new AtomicInteger();
        gate.charge(ONE, "orders", counted::incrementAndGet);
        assertThat(counted).hasValue(0);
        limits = new QuotaLimits(Limit.NONE, FOUR);
        gate.charge(ONE, "orders", counted::incrementAndGet);
        assertThat(counted).hasValue(1);
    }

    @Test
    void quotaChangesTakeEffectAtOnce() {
        limits = new QuotaLimits(TEN, Limit.NONE);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(10);
        limits = QuotaLimits.NONE;
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(50);
        limits = new QuotaLimits(FOUR, Limit.NONE);
        now.addAndGet(10 * SECOND);
        assertThat(passed(ONE, ORDERS, 50)).isEqualTo(4);
    }

    @Test
    void gateStaysBoundedAndForgetsRefilledSubjects() {
        limits = new QuotaLimits(Limit.NONE, FOUR);
        for (int i = 0; i < QuotaGate.SUBJECTS_MAX + 10; i++) {
            assertThat(gate.take(ONE, Optional.of("t" + i), 1)).isEmpty();
        }
        assertThat(gate.subjects()).isEqualTo(QuotaGate.SUBJECTS_MAX);
        now.addAndGet(2 * SECOND);
        assertThat(gate.take(ONE, Optional.of("late"), 1)).isEmpty();
        assertThat(gate.subjects()).isEqualTo(1);
    }

    @Test
    void quotaIsExact_whenManyThreadsTakeConcurrently() throws Exception {
        limits = new QuotaLimits(new Limit(Optional.of(Rate.of(1_000, 1)), Optional.empty()), TEN);
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Future<Integer>> passed = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                passed.add(threads.submit(() -> passed(ONE, Optional.empty(), 2_000)));
            }
            int sum = 0;
            for (Future<Integer> each : passed) {
                sum += each.get();
            }
            assertThat(sum).isEqualTo(1_000);
        } finally {
            threads.shutdownNow();
        }
    }
}
