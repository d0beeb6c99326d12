package io.parterre.deploy.admin;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.micrometer.core.instrument.binder.jvm.ClassLoaderMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.logging.LogbackMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Info;

/**
 * The process's meters: its registry, and metrics of the virtual machine and the operating system.
 */
public final class ProcessMeters implements AutoCloseable {
    private final PrometheusMeterRegistry registry =
            new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final LogbackMetrics logged = new LogbackMetrics();

    /**
     * Starts to measure.
     *
     * @param version version of the software
     */
    public ProcessMeters(String version) {
        // Prometheus's own type, because the name of a gauge must not end like this.
        Info.builder()
                .name("parterre_build_info")
                .help("Always 1; the labels say what runs")
                .labelNames("version", "java")
                .register(registry.getPrometheusRegistry())
                .addLabelValues(version, Runtime.version().toString());
        bind(new ClassLoaderMetrics());
        bind(new JvmMemoryMetrics());
        bind(new JvmThreadMetrics());
        bind(new ProcessorMetrics());
        bind(new UptimeMetrics());
        bind(new FileDescriptorMetrics());
        bind(collections);
        bind(logged);
    }

    private void bind(MeterBinder binder) {
        binder.bindTo(registry);
    }

    public PrometheusMeterRegistry registry() {
        return registry;
    }

    @Override
    public void close() {
        collections.close();
        logged.close();
        registry.close();
    }
}
