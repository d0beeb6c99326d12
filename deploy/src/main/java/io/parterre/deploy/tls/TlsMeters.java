package io.parterre.deploy.tls;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.parterre.tls.WatchedCredentials;

/** Meters of certificates and of refused peers. Thread-safe. */
public final class TlsMeters {
    private final MeterRegistry registry;

    public TlsMeters(MeterRegistry registry) {
        this.registry = registry;
    }

    /**
     * Shows the expiry of a certificate, and whether newer files were refused.
     *
     * @param kind use of the certificate: {@code cluster} or {@code tables}
     */
    void watch(String kind, WatchedCredentials watched) {
        Gauge.builder(
                        "tls_certificate_expiry_timestamp_seconds",
                        watched,
                        each -> each.current().expiry().getEpochSecond())
                .tag("kind", kind)
                .description("When the certificate in use ends.")
                .register(registry);
        Gauge.builder("tls_files_refused", watched, each -> each.isStale() ? 1 : 0)
                .tag("kind", kind)
                .description("Whether the files hold what is of no use, and older ones are in use.")
                .register(registry);
    }

    /**
     * Returns the counter of refused peers and calls.
     *
     * @param reason {@code certificate}, {@code role}, {@code id} or {@code data-loss}
     */
    Counter refusals(String reason) {
        return Counter.builder("tls_refused_total")
                .tag("reason", reason)
                .description("Connections and calls that were refused for who the peer is.")
                .register(registry);
    }
}
