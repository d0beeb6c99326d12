package io.parterre.frontend.quota;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.StorageException;
import io.parterre.frontend.store.EntityPageResult;
import io.parterre.frontend.store.TableStore;
import io.parterre.key.AccountId;
import io.parterre.quota.Limit;
import io.parterre.quota.QuotaLimits;
import io.parterre.quota.Rate;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** What a page costs that a query looked long for. */
final class QuotaStoreTest {
    private static final AccountId ACCOUNT = new AccountId(1);
    private static final Instant DEADLINE = Instant.EPOCH;
    private static final Limit THOUSAND_ENTITIES =
            new Limit(Optional.empty(), Optional.of(Rate.of(1_000, 1)));

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger asked = new AtomicInteger();
    private EntityPageResult page = new EntityPageResult(List.of(), 0, Optional.empty());
    private final TableStore store =
            new QuotaStore(
                    (TableStore)
                            Proxy.newProxyInstance(
                                    TableStore.class.getClassLoader(),
                                    new Class<?>[] {TableStore.class},
                                    (proxy, method, arguments) -> {
                                        asked.incrementAndGet();
                                        return CompletableFuture.completedStage(page);
                                    }),
                    new QuotaGate(() -> new QuotaLimits(THOUSAND_ENTITIES, Limit.NONE), now::get));

    private boolean passes() {
        int before = asked.get();
        try {
            store.query(ACCOUNT, "orders", null, DEADLINE).toCompletableFuture().join();
        } catch (CompletionException refused) {
            assertThat(refused).hasCauseInstanceOf(StorageException.class);
        }
        return asked.get() > before;
    }

    @Test
    void queryIsRefused_whenQueryBeforeExaminedMoreThanQuota() {
        page = new EntityPageResult(List.of(), 3_000, Optional.empty());
        assertThat(passes()).isTrue();
        assertThat(passes()).isFalse();

        now.addAndGet(Duration.ofMillis(1_900).toNanos());
        assertThat(passes()).isFalse();
        now.addAndGet(Duration.ofMillis(200).toNanos());
        assertThat(passes()).isTrue();
    }

    @Test
    void queryCostsOneEntity_whenNothingIsExamined() {
        for (int i = 0; i < 1_000; i++) {
            assertThat(passes()).isTrue();
        }
        assertThat(passes()).isFalse();
    }

    @Test
    void accountIsServedAfterHalfAMinute_whenOneQueryExaminedMillions() {
        page = new EntityPageResult(List.of(), 5_000_000, Optional.empty());
        assertThat(passes()).isTrue();
        assertThat(passes()).isFalse();

        now.addAndGet(Duration.ofSeconds(31).toNanos());
        assertThat(passes()).isTrue();
    }
}
