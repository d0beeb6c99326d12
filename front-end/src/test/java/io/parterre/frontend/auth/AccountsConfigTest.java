package io.parterre.frontend.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class AccountsConfigTest {
    @Test
    void trustEndsAtGreatestAge_andAgesFromHalfOfIt() {
        AccountsConfig config = new AccountsConfig(Duration.ofHours(24));
        assertThat(config.trust(Duration.ZERO)).isEqualTo(AccountsTrust.CURRENT);
        assertThat(config.trust(Duration.ofHours(12).minusMillis(1)))
                .isEqualTo(AccountsTrust.CURRENT);
        assertThat(config.trust(Duration.ofHours(12))).isEqualTo(AccountsTrust.AGING);
        assertThat(config.trust(Duration.ofHours(24).minusMillis(1)))
                .isEqualTo(AccountsTrust.AGING);
        assertThat(config.trust(Duration.ofHours(24))).isEqualTo(AccountsTrust.EXPIRED);
    }

    @Test
    void trustNeverEnds_withoutBound() {
        assertThat(AccountsConfig.WITHOUT_BOUND.trust(Duration.ofDays(10_000)))
                .isEqualTo(AccountsTrust.CURRENT);
    }

    @Test
    void boundShorterThanAnElectionIsRejected() {
        assertThatThrownBy(() -> new AccountsConfig(Duration.ofSeconds(1)))
                .hasMessageContaining("ageMax");
        assertThatThrownBy(() -> new AccountsConfig(Duration.ofSeconds(-1)))
                .hasMessageContaining("ageMax");
    }
}
