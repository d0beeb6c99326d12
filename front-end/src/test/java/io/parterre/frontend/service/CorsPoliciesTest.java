package io.parterre.frontend.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.parterre.directory.CorsRule;
import io.parterre.directory.ServiceProperties;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.settings.CorsPolicy;
import io.parterre.key.AccountId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Rules for scripts of other origins: how often they are read, and what a failure does. */
final class CorsPoliciesTest {
    private static final AccountId ACCOUNT = new AccountId(1);
    private static final CorsRule RULE =
            new CorsRule(List.of("GET"), List.of("*"), List.of(), List.of(), 0);

    private final FakeTableStore store = new FakeTableStore(1);
    private Instant now = Instant.EPOCH;
    private final CorsPolicies policies = new CorsPolicies(store, () -> now);

    private List<CorsRule> rules() {
        return policies.of(ACCOUNT).thenApply(CorsPolicy::rules).toCompletableFuture().join();
    }

    private void storeHas(CorsRule... rules) {
        store.properties =
                new ServiceProperties(
                        ServiceProperties.DEFAULT.logging(),
                        ServiceProperties.DEFAULT.hourMetrics(),
                        ServiceProperties.DEFAULT.minuteMetrics(),
                        List.of(rules));
    }

    @Test
    void corsRulesAreCached_untilThirtySecondsOld() {
        storeHas(RULE);
        assertThat(rules()).containsExactly(RULE);
        storeHas();
        now = now.plus(CorsPolicies.AGE_MAX).minusNanos(1);
        assertThat(rules()).containsExactly(RULE);
        assertThat(store.propertiesRead).isEqualTo(1);
        now = now.plusNanos(1);
        assertThat(rules()).isEmpty();
        assertThat(store.propertiesRead).isEqualTo(2);
    }

    @Test
    void corsRulesAreReadAgain_afterBackwardClockStep() {
        storeHas(RULE);
        assertThat(rules()).containsExactly(RULE);
        storeHas();
        now = now.minus(Duration.ofHours(1));
        assertThat(rules()).isEmpty();
    }

    @Test
    void corsRulesAreReadAgain_afterLocalChange() {
        storeHas(RULE);
        assertThat(rules()).containsExactly(RULE);
        storeHas();
        policies.changed(ACCOUNT);
        assertThat(rules()).isEmpty();
    }

    @Test
    void corsReadFailureIsNotCachedAndHasShortDeadline() {
        store.failure = Optional.of(new StorageException(ErrorCode.SERVER_BUSY));
        assertThatThrownBy(this::rules).hasCauseInstanceOf(StorageException.class);
        assertThat(store.lastDeadline).isEqualTo(now.plus(Duration.ofSeconds(5)));
        store.failure = Optional.empty();
        storeHas(RULE);
        assertThat(rules()).containsExactly(RULE);
    }

    @Test
    void corsRulesAreNotRead_whenRequestHasNoOrigin() {
        ServiceUnderTest service = new ServiceUnderTest();
        service.sendSigned("GET", "/acct/Tables", HeaderList.EMPTY, new byte[0]);
        assertThat(service.store.propertiesRead).isZero();
        HeaderList origin = HeaderList.of("Origin", "http://a.example");
        service.sendSigned("GET", "/acct/Tables", origin, new byte[0]);
        service.sendSigned("GET", "/acct/Tables", origin, new byte[0]);
        assertThat(service.store.propertiesRead).isEqualTo(1);
    }

    @Test
    void responseLacksCorsHeaders_whenRulesCannotBeRead() {
        ServiceUnderTest service = new ServiceUnderTest();
        service.store.failure = Optional.of(new StorageException(ErrorCode.SERVER_BUSY));
        HeaderList origin = HeaderList.of("Origin", "http://a.example");
        assertThat(
                        service.sendSigned("GET", "/acct/T00()", origin, new byte[0])
                                .headers()
                                .has("Access-Control-Allow-Origin"))
                .isFalse();
        HeaderList preflight =
                origin.with("Access-Control-Request-Method", "GET").with("Host", "h");
        assertThat(service.send("OPTIONS", "/acct/T00", preflight, new byte[0]).status())
                .isEqualTo(503);
    }
}
