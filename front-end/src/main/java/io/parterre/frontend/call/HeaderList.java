package io.parterre.frontend.call;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Headers in their order. Names are compared without case; values are kept byte for byte.
 * Immutable.
 */
public record HeaderList(List<Header> headers) {
    public static final HeaderList EMPTY = new HeaderList(List.of());

    /** One header line. */
    public record Header(String name, String value) {}

    public HeaderList {
        headers = List.copyOf(headers);
    }

    /** Returns a list of these headers, given as names and values in turn. */
    public static HeaderList of(String... namesAndValues) {
        List<Header> headers = new ArrayList<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            headers.add(new Header(namesAndValues[i], namesAndValues[i + 1]));
        }
        return new HeaderList(headers);
    }

    /** Returns the first value of this name; empty if there is none. */
    public Optional<String> first(String name) {
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                return Optional.of(header.value());
            }
        }
        return Optional.empty();
    }

    /** Returns every value of this name, in order. */
    public List<String> all(String name) {
        List<String> values = List.of();
        for (Header header : headers) {
            if (header.name().equalsIgnoreCase(name)) {
                // Allocated late: most headers are absent, and this is called for each part of a
                // batch.
                values = values.isEmpty() ? new ArrayList<>() : values;
                values.add(header.value());
            }
        }
        return values;
    }

    /**
     * Returns the value of a header that is a list, joined if it is spread over several lines;
     * empty if absent.
     */
    public Optional<String> list(String name) {
        List<String> values = all(name);
        return values.isEmpty() ? Optional.empty() : Optional.of(String.join(", ", values));
    }

    public boolean has(String name) {
        return first(name).isPresent();
    }

    /** Returns this list with one more header at the end. */
    public HeaderList with(String name, String value) {
        List<Header> more = new ArrayList<>(headers);
        more.add(new Header(name, value));
        return new HeaderList(more);
    }
}
