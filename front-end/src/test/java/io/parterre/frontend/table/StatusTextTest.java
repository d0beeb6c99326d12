package io.parterre.frontend.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.error.ErrorCode;
import org.junit.jupiter.api.Test;

final class StatusTextTest {
    @Test
    void statusOfEachErrorHasItsPhrase() {
        for (ErrorCode code : ErrorCode.values()) {
            assertThat(StatusText.of(code.status()))
                    .as("%s %s", code.status(), code)
                    .doesNotStartWith("Status");
        }
        assertThat(StatusText.of(401)).isEqualTo("Unauthorized");
        assertThat(StatusText.of(299)).as("not of the protocol").isEqualTo("Status 299");
    }
}
