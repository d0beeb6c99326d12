package io.parterre.deploy.config;

import java.net.URI;
import java.util.Locale;
import java.util.Set;

/**
 * Keys of traces.
 *
 * @param endpoint address to which spans are sent, by OTLP over HTTP; empty: no spans are recorded
 * @param sampleOneIn one call of this many is recorded, at random
 * @param followClients whether a client also decides that its call is recorded or not
 */
public record TracesSection(String endpoint, int sampleOneIn, boolean followClients) {
    static final TracesSection DEFAULT = new TracesSection("", 1_000, false);

    private static final int ONE_IN_MAX = 1_000_000_000;

    public TracesSection {
        if (!endpoint.isEmpty() && !isAddress(endpoint)) {
            throw new IllegalArgumentException(
                    "endpoint: '"
                            + endpoint
                            + "' (expected: an address as http://collector:4318/v1/traces)");
        }
        if (sampleOneIn < 1 || sampleOneIn > ONE_IN_MAX) {
            throw new IllegalArgumentException(
                    "sampleOneIn: " + sampleOneIn + " (expected: 1.." + ONE_IN_MAX + ")");
        }
    }

    private static boolean isAddress(String text) {
        try {
            URI address = URI.create(text);
            String scheme = String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT);
            return Set.of("http", "https").contains(scheme) && address.getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }

    public boolean isOff() {
        return endpoint.isEmpty();
    }
}
