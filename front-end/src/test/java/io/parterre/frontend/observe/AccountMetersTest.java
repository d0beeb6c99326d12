package io.parterre.frontend.observe;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Meters by account. */
class AccountMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double requests(String account, String outcome) {
        return registry.get("front_end_account_requests_total")
                .tags("account", account, "outcome", outcome)
                .counter()
                .count();
    }

    @Test
    void requestsAreCounted_byAccountAndOutcome() {
        AccountMeters meters = new AccountMeters(registry, 10);
        Stream.of(200, 204, 404, 503, 500, 501)
                .forEach(status -> meters.count(Requests.of("one", status, 7)));
        assertThat(requests("one", "done")).isEqualTo(2);
        assertThat(requests("one", "refused")).isEqualTo(1);
        assertThat(requests("one", "throttled")).isEqualTo(1);
        assertThat(requests("one", "failed")).isEqualTo(2);
        assertThat(registry.get("front_end_account_request_seconds").timer().count()).isEqualTo(6);
        assertThat(
                        registry.get("front_end_account_bytes_total")
                                .tag("direction", "sent")
                                .counter()
                                .count())
                .isEqualTo(6 * 120);
    }

    @Test
    void laterAccountsShareMeters_beyondTheMaximum() {
        AccountMeters meters = new AccountMeters(registry, 2);
        Stream.of("one", "two", "three", "four", "one")
                .forEach(account -> meters.count(Requests.of(account, 200, 7)));
        assertThat(requests("one", "done")).isEqualTo(2);
        assertThat(requests("two", "done")).isEqualTo(1);
        assertThat(requests(AccountMeters.OTHERS, "done")).isEqualTo(2);
    }

    @Test
    void callerWithoutProofHasNoMeter() {
        new AccountMeters(registry, 2).count(Requests.answered(Requests.head("/made-up/t"), 403));
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void noAccountHasMeters_whenMaximumIsZero() {
        new AccountMeters(registry, 0).count(Requests.of("one", 200, 7));
        assertThat(registry.getMeters()).isEmpty();
    }
}
