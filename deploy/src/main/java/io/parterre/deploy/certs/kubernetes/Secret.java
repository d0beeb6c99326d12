package io.parterre.deploy.certs.kubernetes;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;

/**
 * A Secret, or changes of one. {@code toString} shows no data.
 *
 * @param version version of the Secret that was read or is to be changed; empty for a new one
 * @param data values by key; an empty value removes the key
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

    /** Returns the value of a key; empty if there is no such key. */
    Optional<byte[]> value(String key) {
        return data.getOrDefault(key, Optional.empty());
    }

    /** Returns an ASCII text as a value. */
    static Optional<byte[]> text(String value) {
        return Optional.of(value.getBytes(StandardCharsets.US_ASCII));
    }

    @Override
    public String toString() {
        return "secret " + name;
    }
}
