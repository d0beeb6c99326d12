package io.parterre.deploy.certs.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A Secret, or changes of one. Shows no data.
 *
 * @param version of the Secret that was read, or is to be changed; empty: a new one
 * @param data by key; a value that is absent removes the key
 */
record Secret(
        String name,
        String type,
        Optional<String> version,
        Map<String, String> labels,
        Map<String, String> annotations,
        Map<String, Optional<byte[]>> data) {
    Secret {
        labels = Map.copyOf(labels);
        annotations = Map.copyOf(annotations);
        data = Map.copyOf(data);
    }

    /** What a key holds; empty: there is no such key. */
    Optional<byte[]> value(String key) {
        return data.getOrDefault(key, Optional.empty());
    }

    /** A value, of a text in ASCII. */
    static Optional<byte[]> text(String value) {
        return Optional.of(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "secret " + name;
    }
}
