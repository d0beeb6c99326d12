package io.parterre.directory;

import java.util.List;

/**
 * A rule of the requests that scripts of other origins may make. Source: docs/protocol.md 3.11.
 *
 * @param allowedMethods verbs in capitals
 * @param allowedOrigins origins, exact; {@code *} in an origin matches any characters
 * @param allowedHeaders request headers, literal or a prefix followed by {@code *}
 * @param exposedHeaders answer headers, likewise
 * @param maxAgeSeconds how long a browser may cache the answer to a preflight
 */
public record CorsRule(
        List<String> allowedMethods,
        List<String> allowedOrigins,
        List<String> allowedHeaders,
        List<String> exposedHeaders,
        int maxAgeSeconds) {
    /** Largest number of rules of one service. */
    public static final int RULES_MAX = 5;

    public CorsRule {
        allowedMethods = List.copyOf(allowedMethods);
        allowedOrigins = List.copyOf(allowedOrigins);
        allowedHeaders = List.copyOf(allowedHeaders);
        exposedHeaders = List.copyOf(exposedHeaders);
        if (maxAgeSeconds < 0) {
            throw new IllegalArgumentException(
                    "maxAgeSeconds: " + maxAgeSeconds + " (expected: >= 0)");
        }
    }
}
