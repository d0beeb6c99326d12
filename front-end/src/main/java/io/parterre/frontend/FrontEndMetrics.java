package io.parterre.frontend;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.parterre.error.BusyReason;
import io.parterre.frontend.http.CutOff;
import io.parterre.frontend.http.HttpRefusal;
import io.parterre.frontend.http.HttpServer;
import io.parterre.frontend.http.MemoryKind;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** The front end's metrics. Thread-safe. */
final class FrontEndMetrics {
    private static final Set<String> METHODS =
            Set.of("GET", "POST", "PUT", "MERGE", "PATCH", "DELETE", "HEAD", "OPTIONS");

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30)
    };

    private final MeterRegistry registry;
    private final Map<Answered, Counter> answers = new ConcurrentHashMap<>();
    private final Map<String, Timer> times = new ConcurrentHashMap<>();
    private final Map<String, Counter> retries = new ConcurrentHashMap<>();

    private final Map<HttpRefusal, Counter> refusals = new ConcurrentHashMap<>();

    private final Map<String, Counter> throttled = new ConcurrentHashMap<>();

    private record Answered(String request, int code) {}

    FrontEndMetrics(MeterRegistry registry) {
        this.registry = registry;
    }

    /** Returns the request's verb as a label. All unknown verbs share the label {@code OTHER}. */
    static String request(String method) {
        return METHODS.contains(method) ? method : "OTHER";
    }

    void answered(String request, int code, long nanos) {
        times.computeIfAbsent(request, this::timer).record(nanos, TimeUnit.NANOSECONDS);
        count(request, code);
    }

    /** Counts a request that the server itself refused. */
    void refused(HttpRefusal refusal) {
        count("REFUSED", refusal.status());
        refusals.computeIfAbsent(
                        refusal,
                        why ->
                                Counter.builder("front_end_refusals_total")
                                        .description("Requests refused before they were looked at")
                                        .tag("reason", why.name().toLowerCase(Locale.ROOT))
                                        .register(registry))
                .increment();
        if (refusal == HttpRefusal.BUSY) {
            throttled(Optional.of(BusyReason.FRONT_END));
        }
    }

    private void count(String request, int code) {
        answers.computeIfAbsent(new Answered(request, code), this::counter).increment();
    }

    private Counter counter(Answered answered) {
        return Counter.builder("front_end_requests_total")
                .description("Requests answered")
                .tag("operation", answered.request())
                .tag("code", Integer.toString(answered.code()))
                .register(registry);
    }

    private Timer timer(String request) {
        return Timer.builder("front_end_request_seconds")
                .description("Time from a whole request to its answer")
                .tag("operation", request)
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }

    /** Counts an attempt that did not bring the answer asked for. */
    void setback(String reason) {
        retries.computeIfAbsent(
                        reason,
                        word ->
                                Counter.builder("front_end_setbacks_total")
                                        .description("Attempts that did not bring an answer")
                                        .tag("reason", word)
                                        .register(registry))
                .increment();
    }

    /**
     * Counts an answer with 503.
     *
     * @param why reason of the refusal; empty if no member that could answer was found
     */
    void throttled(Optional<BusyReason> why) {
        throttled
                .computeIfAbsent(
                        why.map(BusyReason::label).orElse("no_answer"),
                        label ->
                                Counter.builder("front_end_throttled_total")
                                        .description("Requests answered with 503, by reason")
                                        .tag("reason", label)
                                        .register(registry))
                .increment();
    }

    void watch(HttpServer server, Supplier<Number> mapVersion, Supplier<Duration> accountsAge) {
        Gauge.builder("front_end_connections", server, HttpServer::connections)
                .description("Connections now open")
                .register(registry);
        for (MemoryKind kind : MemoryKind.values()) {
            Gauge.builder("front_end_in_flight_bytes", server, held -> held.bytesInFlight(kind))
                    .description("Bytes now held that clients sent, or have not taken")
                    .tag("kind", kind.label())
                    .register(registry);
        }
        for (CutOff reason : CutOff.values()) {
            FunctionCounter.builder(
                            "front_end_cut_offs_total", server, ended -> ended.cutOffs(reason))
                    .description("Connections ended by the server, without an answer")
                    .tag("reason", reason.label())
                    .register(registry);
        }
        Gauge.builder("front_end_map_version", mapVersion)
                .description("Version of the map that requests are routed by")
                .register(registry);
        Gauge.builder("front_end_accounts_age_seconds", () -> accountsAge.get().toMillis() / 1e3)
                .description("Time since a manager last vouched for the accounts")
                .register(registry);
    }
}
