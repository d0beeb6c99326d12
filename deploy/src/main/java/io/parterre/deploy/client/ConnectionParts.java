package io.parterre.deploy.client;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The parts of a connection string, as the SDKs read it: names in any case, in any order.
 * Immutable; never shown, because one may be a key.
 */
public final class ConnectionParts {
    private final Map<String, String> parts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    /** Reads a connection string and ignores what is no part. */
    public ConnectionParts(String text) {
        for (String part : text.strip().split(";")) {
            int equals = part.indexOf('=');
            if (equals > 0) {
                parts.put(part.substring(0, equals).strip(), part.substring(equals + 1).strip());
            }
        }
    }

    public Optional<String> find(String name) {
        return Optional.ofNullable(parts.get(name));
    }

    /** Returns whether it asks for the account that every tool knows, on this machine. */
    public boolean isDevelopment() {
        return "true".equalsIgnoreCase(parts.get("UseDevelopmentStorage"));
    }
}
