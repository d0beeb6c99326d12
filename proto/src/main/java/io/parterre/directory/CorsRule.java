package io.parterre.directory;

import java.util.List;

/**
 * What scripts of other origins may do. Source: docs/protocol.md 3.11.
 *
 * @param allowedMethods verbs in capitals
 * @param allowedOrigins origins, exact; {@code *} in one stands for any characters
 * @param allowedHeaders request headers, literal or a prefix followed by {@code *}
 * @param exposedHeaders answer headers, likewise
 * @param maxAgeSeconds how long a browser may remember the answer to a preflight
 */
public record CorsRule(
        List<String> allowedMethods,
        List<String> allowedOrigins,
        List<String> allowedHeaders,
        List<String> exposedHeaders,
        int maxAgeSeconds) {
    /** Rules of one service at most. */
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
