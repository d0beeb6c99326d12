package io.parterre.deploy.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.parterre.frontend.call.CallMemory;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import java.net.InetAddress;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class AdminHandlerTest {
    private final ProcessMeters meters = new ProcessMeters("1.2.3");
    private Optional<String> missing = Optional.of("no leader yet");
    private Optional<String> warning = Optional.empty();
    private final AdminHandler handler =
            new AdminHandler(
                    meters.registry(),
                    new Readiness() {
                        @Override
                        public CompletionStage<Optional<String>> missing() {
                            return CompletableFuture.completedFuture(missing);
                        }

                        @Override
                        public Optional<String> warning() {
                            return warning;
                        }
                    });

    @AfterEach
    void close() {
        meters.close();
    }

    @Test
    void healthzAnswersOk_beforeNodeIsReady() {
        assertThat(call("GET", "/healthz").status()).isEqualTo(200);
        HttpAnswer answer = call("GET", "/readyz");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(new String(answer.body(), UTF_8)).isEqualTo("no leader yet\n");

        missing = Optional.empty();
        assertThat(call("GET", "/readyz?verbose").status()).isEqualTo(200);

        warning = Optional.of("accounts grow old");
        answer = call("GET", "/readyz");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(new String(answer.body(), UTF_8))
                .isEqualTo("ready; warning: accounts grow old\n");
    }

    @Test
    void metricsShowsProcessAndRoleMeters() {
        meters.registry().counter("front_end_requests_total", "operation", "GET").increment();
        HttpAnswer answer = call("GET", "/metrics");
        assertThat(answer.headers().first("Content-Type"))
                .contains("text/plain; version=0.0.4; charset=utf-8");
        assertThat(new String(answer.body(), UTF_8))
                .contains("front_end_requests_total{operation=\"GET\"} 1.0")
                .contains("jvm_memory_used_bytes")
                .contains("jvm_threads_live_threads")
                .contains("process_cpu_usage")
                .contains("process_files_open_files");
    }

    @Test
    void adminRejectsCall_whenPathOrMethodIsUnknown() {
        assertThat(call("GET", "/").status()).isEqualTo(404);
        HttpAnswer answer = call("POST", "/metrics");
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.headers().first("Allow")).contains("GET, HEAD");
        assertThat(answer.headers().first("Server")).contains("Parterre");
        assertThat(call("GET", "/healthz").headers().first("Server")).contains("Parterre");
    }

    private HttpAnswer call(String method, String target) {
        return handler.handle(
                        new HttpCall(
                                method,
                                target,
                                HeaderList.EMPTY,
                                new byte[0],
                                InetAddress.getLoopbackAddress(),
                                false,
                                CallMemory.UNCOUNTED))
                .toCompletableFuture()
                .join();
    }
}
