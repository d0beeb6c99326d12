package io.parterre.deploy.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Status;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class CallFailureTest {
    private static CallFailure of(Status status) {
        return CallFailure.of(
                status.asRuntimeException(), "partition manager", Duration.ofSeconds(4));
    }

    @Test
    void deadlineErrorNamesWaitTime_withoutGrpcDetails() {
        CallFailure late =
                of(
                        Status.DEADLINE_EXCEEDED.withDescription(
                                "CallOptions deadline exceeded after 3.99s. [remote_addr=/10.0.0.1]"));
        assertThat(late.words())
                .isEqualTo(
                        "has not answered within 4 s (does it run, and is it reached? its log"
                                + " tells)");
        assertThat(late.lasting()).isFalse();
    }

    @Test
    void callErrorIsLasting_whenRetryCannotHelp() {
        Status io = Status.UNAVAILABLE.withDescription("io exception");
        assertThat(of(io.withCause(new ConnectException("refused"))))
                .isEqualTo(
                        new CallFailure(
                                "cannot be connected to (does it run, and on this port?)", false));
        assertThat(of(io.withCause(new IOException("Connection reset by peer"))))
                .isEqualTo(new CallFailure("has lost the connection (does it still run?)", false));
        assertThat(of(Status.UNAVAILABLE.withDescription("does not lead")))
                .isEqualTo(new CallFailure("does not lead", false));
        assertThat(of(Status.UNAVAILABLE.withDescription("Unable to resolve host m9")).lasting())
                .isTrue();
        assertThat(of(Status.UNIMPLEMENTED).lasting()).isTrue();
    }

    @Test
    void errorHintsAtWrongPort_whenPlainHttpAnswers() {
        assertThat(of(Status.PERMISSION_DENIED.withDescription("HTTP status code 403\nx")).words())
                .contains("another port?");
        assertThat(of(Status.INTERNAL.withDescription("broken\n\tat x")).words())
                .isEqualTo("has failed (its log tells why): broken");
    }
}
