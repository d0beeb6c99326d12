package io.parterre.frontend;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.service.HttpRefusalWording;
import java.net.InetAddress;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class GuardedHandlerTest {
    private static final HttpAnswer ANSWER =
            new HttpAnswer(200, "OK", HeaderList.EMPTY, new byte[0]);

    private final CompletableFuture<Void> known = new CompletableFuture<>();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    /** A front end that was killed and started again is reached by clients at once. */
    @Test
    void callWaits_untilClusterMapIsKnown() {
        CompletableFuture<HttpAnswer> answer = ask(Duration.ofMinutes(1));
        assertThat(answer).isNotDone();
        known.complete(null);
        assertThat(answer.join()).isEqualTo(ANSWER);
        assertThat(answers("GET", 200)).isEqualTo(1);
    }

    @Test
    void callIsAnsweredAtOnce_whenClusterMapIsKnown() {
        known.complete(null);
        assertThat(ask(Duration.ofMinutes(1))).isCompletedWithValue(ANSWER);
    }

    @Test
    void callIsRejectedAsBusy_whenClusterMapIsNotKnownInTime() {
        HttpAnswer refused = ask(Duration.ofMillis(1)).join();
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.headers().first("x-ms-client-request-id")).contains("mine");
        assertThat(answers("REFUSED", 503)).isEqualTo(1);
        // Others still wait for what may yet come.
        assertThat(known).isNotDone();
    }

    private CompletableFuture<HttpAnswer> ask(Duration patience) {
        HttpCall call =
                new HttpCall(
                        "GET",
                        "/table",
                        HeaderList.EMPTY.with("x-ms-client-request-id", "mine"),
                        new byte[0],
                        InetAddress.getLoopbackAddress(),
                        false,
                        CallMemory.UNCOUNTED);
        return new GuardedHandler(
                        each -> CompletableFuture.completedFuture(ANSWER),
                        known,
                        patience,
                        new HttpRefusalWording(InstantSource.system(), () -> "ours"),
                        new FrontEndMetrics(registry),
                        System::nanoTime)
                .handle(call)
                .toCompletableFuture();
    }

    private double answers(String request, int code) {
        return registry.get("front_end_requests_total")
                .tags("operation", request, "code", Integer.toString(code))
                .counter()
                .count();
    }
}
