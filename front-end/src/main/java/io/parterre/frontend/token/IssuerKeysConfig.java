package io.parterre.frontend.token;

import io.parterre.frontend.config.Problems;
import java.net.URI;
import java.time.Duration;

/**
 * Location of an issuer's public keys, a JSON Web Key Set.
 *
 * @param location {@code https://} or {@code http://} address, or the path of a file
 * @param refreshInterval time between two reads; new keys are noticed earlier, because a token with
 *     an unknown key causes a read
 * @param ageMax how long keys are trusted when they cannot be read again
 */
public record IssuerKeysConfig(String location, Duration refreshInterval, Duration ageMax) {
    public static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);
    public static final Duration AGE_MAX = Duration.ofHours(24);

    public IssuerKeysConfig {
        boolean isUri = !isAddress(location) || isUri(location);
        String quoted = "'" + location + "'";
        new Problems()
                .check(!location.isBlank(), "keys", quoted, "an address or a path")
                .check(isUri, "keys", quoted, "a URI")
                .check(
                        refreshInterval.compareTo(Duration.ofSeconds(1)) >= 0,
                        "keysRefreshInterval",
                        refreshInterval,
                        ">= 1s")
                .check(
                        ageMax.compareTo(refreshInterval) >= 0,
                        "keysAgeMax",
                        ageMax,
                        ">= " + refreshInterval)
                .refuseIfAny();
    }

    boolean isAddress() {
        return isAddress(location);
    }

    private static boolean isAddress(String location) {
        return location.startsWith("https://") || location.startsWith("http://");
    }

    private static boolean isUri(String location) {
        try {
            return URI.create(location).getHost() != null;
        } catch (IllegalArgumentException malformed) {
            return false;
        }
    }
}
