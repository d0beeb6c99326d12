package io.parterre.deploy.trace;

import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.parterre.deploy.config.TracesSection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The tracer of a process. Spans wait in a bounded queue and are dropped if the collector does not
 * keep up, so calls never wait for it. Thread-safe.
 */
public final class Traces implements AutoCloseable {
    private static final String NAME = "io.parterre";

    /** Timeout of one export, and of the last one at the end. */
    private static final Duration EXPORT_MAX = Duration.ofSeconds(5);

    private final Optional<SdkTracerProvider> provider;

    private Traces(Optional<SdkTracerProvider> provider) {
        this.provider = provider;
    }

    /**
     * Starts to record, if there is a collector.
     *
     * @param version version of the software
     */
    public static Traces start(TracesSection config, String version) {
        return config.isOff()
                ? new Traces(Optional.empty())
                : start(
                        config,
                        version,
                        OtlpHttpSpanExporter.builder()
                                .setEndpoint(config.endpoint())
                                .setTimeout(EXPORT_MAX)
                                .setConnectTimeout(EXPORT_MAX)
                                .setCompression("gzip")
                                .build());
    }

    static Traces start(TracesSection config, String version, SpanExporter exporter) {
        Resource process =
                Resource.create(
                        Attributes.builder()
                                .put("service.name", "parterre")
                                .put("service.version", version)
                                .put("process.pid", ProcessHandle.current().pid())
                                .build());
        return new Traces(
                Optional.of(
                        SdkTracerProvider.builder()
                                .setResource(process)
                                .setSampler(sampler(config))
                                .addSpanProcessor(
                                        BatchSpanProcessor.builder(exporter)
                                                .setExporterTimeout(EXPORT_MAX)
                                                .build())
                                .build()));
    }

    /**
     * Returns the sampler. A span whose parent is recorded is always recorded, and front ends name
     * no other parents to servers. Unless clients are followed, front ends hide from this sampler
     * that a client's span is recorded, and the decision is random, as for a call without a trace.
     */
    private static Sampler sampler(TracesSection config) {
        Sampler chance = Sampler.traceIdRatioBased(1.0 / config.sampleOneIn());
        Sampler ofClients = config.followClients() ? Sampler.alwaysOff() : chance;
        return Sampler.parentBasedBuilder(chance).setRemoteParentNotSampled(ofClients).build();
    }

    public Tracer tracer() {
        return provider.isPresent()
                ? provider.get().get(NAME)
                : OpenTelemetry.noop().getTracer(NAME);
    }

    /** Sends the waiting spans, for some seconds at most. */
    @Override
    public void close() {
        provider.ifPresent(
                running -> running.shutdown().join(EXPORT_MAX.toMillis(), TimeUnit.MILLISECONDS));
    }
}
