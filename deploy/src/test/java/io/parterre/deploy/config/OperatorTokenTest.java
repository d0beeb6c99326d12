package io.parterre.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OperatorTokenTest {
    private static final String SECRET = "0123456789abcdef";

    @Test
    void callIsRefused_unlessItCarriesTheTokenThatIsSet() {
        OperatorToken token = OperatorToken.of(SECRET);
        assertThat(token.refusal(Optional.of(SECRET))).isEmpty();
        assertThat(token.refusal(Optional.of(SECRET + "0"))).isPresent();
        assertThat(token.refusal(Optional.of(""))).isPresent();
        assertThat(token.refusal(Optional.empty()).orElseThrow())
                .contains("--operator-token-file", "PARTERRE_OPERATOR_TOKEN");
        assertThat(OperatorToken.NONE.refusal(Optional.of("")).orElseThrow())
                .contains("no operatorToken is set");
        assertThat(OperatorToken.NONE.refusal(Optional.of(SECRET))).isPresent();
    }

    @Test
    void tokenIsReadFromTheEnvironment_andIsNotShown() throws ConfigException {
        EffectiveConfig read =
                ConfigReader.read(
                        Optional.empty(), Map.of("PARTERRE_OPERATOR_TOKEN", SECRET), List.of());
        assertThat(read.config().operatorToken()).isEqualTo(OperatorToken.of(SECRET));
        assertThat(read.warnings()).isEmpty();
        assertThat(read.entries().toString()).doesNotContain(SECRET).contains("***");
        assertThat(read.config().toString()).doesNotContain(SECRET);
    }

    @Test
    void weakTokenIsRejected_withoutPrintingIt() {
        for (String weak : List.of("short-secret", "a secret with spaces in it", "x".repeat(257))) {
            assertThatThrownBy(() -> OperatorToken.of(weak))
                    .hasMessageContaining("16 to 256")
                    .hasMessageNotContaining(weak);
        }
    }
}
