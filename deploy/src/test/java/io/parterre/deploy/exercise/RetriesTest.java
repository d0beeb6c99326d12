package io.parterre.deploy.exercise;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetriesTest {
    private static Answer answer(int status) {
        return new Answer(status, "");
    }

    @ParameterizedTest
    @ValueSource(ints = {Answer.NONE, 408, 429, 500, 503, 504})
    void callIsRetriedThreeTimes_whenServiceMayRecover(int status) {
        assertThat(Retries.OF_SDKS.pauseAfter(1, answer(status))).hasValue(Duration.ofMillis(800));
        assertThat(Retries.OF_SDKS.pauseAfter(2, answer(status))).hasValue(Duration.ofMillis(1600));
        assertThat(Retries.OF_SDKS.pauseAfter(3, answer(status))).hasValue(Duration.ofMillis(3200));
        assertThat(Retries.OF_SDKS.pauseAfter(4, answer(status))).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {200, 204, 400, 403, 404, 409, 412, 501, 505})
    void callIsNotRetried_whenAnswerIsFinal(int status) {
        assertThat(Retries.OF_SDKS.pauseAfter(1, answer(status))).isEmpty();
    }

    @Test
    void callIsNotRetried_whenPolicyAllowsNone() {
        assertThat(new Retries(0, Duration.ZERO).pauseAfter(1, answer(503))).isEmpty();
    }
}
