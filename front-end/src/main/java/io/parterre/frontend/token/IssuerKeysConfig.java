package io.parterre.frontend.token;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Where an issuer's public keys are, as a JSON Web Key Set.
 *
 * @param location {@code https://} or {@code http://} address, or the path of a file
 * @param refreshInterval between two readings; new keys are noticed earlier, since a token that
 *     names an unknown one makes us look
 * @param ageMax for how long keys are trusted when they cannot be read again
 */
public record IssuerKeysConfig(String location, Duration refreshInterval, Duration ageMax) {
    public static final Duration REFRESH_INTERVAL = Duration.ofMinutes(5);
    public static final Duration AGE_MAX = Duration.ofHours(24);

    public IssuerKeysConfig {
        List<String> problems = new ArrayList<>();
        if (location.isBlank()) {
            problems.add("keys: '" + location + "' (expected: an address or a path)");
        } else if (isAddress(location) && !isUri(location)) {
            problems.add("keys: '" + location + "' (expected: a URI)");
        }
        if (refreshInterval.compareTo(Duration.ofSeconds(1)) < 0) {
            problems.add("keysRefreshInterval: " + refreshInterval + " (expected: >= 1s)");
        }
        if (ageMax.compareTo(refreshInterval) < 0) {
            problems.add("keysAgeMax: " + ageMax + " (expected: >= " + refreshInterval + ")");
        }
        if (!problems.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", problems));
        }
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
