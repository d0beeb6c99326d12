package io.parterre.deploy.admin;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.parterre.frontend.call.HeaderList;
import io.parterre.frontend.call.HttpAnswer;
import io.parterre.frontend.call.HttpCall;
import io.parterre.frontend.call.HttpHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * Answers {@code /metrics}, {@code /livez} (also {@code /healthz}) and {@code /readyz}. Runs on the
 * admin server's own event loop, so that a slow scrape holds up no client.
 */
public final class AdminHandler implements HttpHandler {
    /** Value of the header {@code Server}, in place of the name that clients of tables expect. */
    static final String SERVER = "Parterre";

    private static final String TEXT = "text/plain; charset=utf-8";
    private static final String METRICS = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry meters;
    private final Readiness readiness;

    public AdminHandler(PrometheusMeterRegistry meters, Readiness readiness) {
        this.meters = meters;
        this.readiness = readiness;
    }

    @Override
    public CompletionStage<HttpAnswer> handle(HttpCall call) {
        if (!call.method().equals("GET") && !call.method().equals("HEAD")) {
            HeaderList allow =
                    HeaderList.of("Allow", "GET, HEAD", "Content-Type", TEXT, "Server", SERVER);
            return now(new HttpAnswer(405, "Method Not Allowed", allow, bytes("GET or HEAD\n")));
        }
        return switch (call.rawPath()) {
            case "/metrics" -> now(text(200, "OK", METRICS, meters.scrape()));
            case "/livez", "/healthz" -> now(text(200, "OK", TEXT, "alive\n"));
            case "/readyz" -> readiness.missing().thenApply(this::ready);
            default -> now(text(404, "Not Found", TEXT, "/metrics, /livez, /readyz\n"));
        };
    }

    private static CompletionStage<HttpAnswer> now(HttpAnswer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    private HttpAnswer ready(Optional<String> missing) {
        return missing.isEmpty()
                ? text(
                        200,
                        "OK",
                        TEXT,
                        readiness.warning().map(why -> "ready; warning: " + why).orElse("ready")
                                + "\n")
                : text(503, "Service Unavailable", TEXT, missing.get() + "\n");
    }

    private static HttpAnswer text(int status, String reason, String type, String body) {
        return new HttpAnswer(
                status,
                reason,
                HeaderList.of("Content-Type", type, "Cache-Control", "no-store", "Server", SERVER),
                bytes(body));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }
}
