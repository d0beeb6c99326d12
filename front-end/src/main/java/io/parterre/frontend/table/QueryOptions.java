package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The parameters of a query string, names and values decoded once. Source: docs/protocol.md 1.4 and
 * 5.1. Immutable.
 *
 * <p>Names that begin with {@code $} are case-sensitive, the others are not. Unknown names without
 * {@code $} are ignored, as are the values of an access signature.
 */
public final class QueryOptions {
    private static final Set<String> KNOWN = Set.of("$filter", "$top", "$select", "$format");
    private static final Set<String> NOT_IMPLEMENTED =
            Set.of(
                    "$orderby",
                    "$skip",
                    "$expand",
                    "$inlinecount",
                    "$count",
                    "$skiptoken",
                    "$apply",
                    "$search");

    /** Values by name; the first value of a repeated name. */
    private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);

    private boolean repeatsSystemOption;

    private QueryOptions() {}

    /**
     * Parses a query string without its question mark.
     *
     * @throws StorageException {@code REQUEST_URL_FAILED_TO_PARSE}
     */
    public static QueryOptions parse(String rawQuery) {
        QueryOptions options = new QueryOptions();
        int at = 0;
        while (at < rawQuery.length()) {
            int end = rawQuery.indexOf('&', at);
            end = end < 0 ? rawQuery.length() : end;
            int equals = rawQuery.indexOf('=', at);
            int nameEnd = equals < 0 || equals > end ? end : equals;
            String name = PercentCodec.decodeQuery(rawQuery.substring(at, nameEnd));
            String value =
                    nameEnd == end
                            ? ""
                            : PercentCodec.decodeQuery(rawQuery.substring(nameEnd + 1, end));
            boolean repeated = options.values.putIfAbsent(name, value) != null;
            options.repeatsSystemOption |= repeated && name.startsWith("$");
            at = end + 1;
        }
        return options;
    }

    /**
     * Refuses options of OData that the service does not support, and repeated options, because it
     * is unknown which value is meant.
     *
     * @throws StorageException {@code NOT_IMPLEMENTED}, {@code INVALID_INPUT}
     */
    public void checkSystemOptions() {
        for (String name : values.keySet()) {
            if (NOT_IMPLEMENTED.contains(name)) {
                throw new StorageException(ErrorCode.NOT_IMPLEMENTED);
            }
            if (name.startsWith("$") && !KNOWN.contains(name)) {
                throw new StorageException(ErrorCode.INVALID_INPUT);
            }
        }
        if (repeatsSystemOption) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
    }

    /** Returns the value of this parameter, possibly an empty string; empty if absent. */
    public Optional<String> value(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** Returns the value of this parameter; empty if it is an empty string or absent. */
    public Optional<String> nonEmpty(String name) {
        return value(name).filter(text -> !text.isEmpty());
    }

    /** Returns whether the request carries an access signature. */
    public boolean isSharedAccessSignature() {
        return values.containsKey("sig");
    }

    /** Returns {@code $filter}; a blank filter counts as absent. */
    public Optional<String> filter() {
        return nonEmpty("$filter").filter(text -> !text.isBlank());
    }

    /**
     * Returns {@code $top}, or its default. Source: docs/protocol.md 5.6; 0 asks for an empty page.
     *
     * @throws StorageException {@code INVALID_INPUT} unless it is 0 to {@code topMax}
     */
    public int top(int topMax) {
        Optional<String> text = nonEmpty("$top");
        if (text.isEmpty()) {
            return topMax;
        }
        return EdmReader.wholeNumber(text.get().strip())
                .filter(number -> !text.get().contains("-") && number <= topMax)
                .map(Long::intValue)
                .orElseThrow(() -> new StorageException(ErrorCode.INVALID_INPUT));
    }

    /**
     * Returns the names in {@code $select} in their order, each once; empty for all. Source:
     * docs/protocol.md 5.5.
     *
     * @throws StorageException {@code INVALID_INPUT} beyond {@code namesMax} names
     */
    public Optional<List<String>> select(int namesMax) {
        Optional<String> text = selectText();
        if (text.isEmpty()) {
            return Optional.empty();
        }
        Set<String> names = new LinkedHashSet<>();
        for (String name : text.get().split(",", -1)) {
            String stripped = name.strip();
            if (stripped.equals("*")) {
                return Optional.empty();
            }
            if (!stripped.isEmpty()) {
                names.add(stripped);
            }
        }
        if (names.size() > namesMax) {
            throw new StorageException(ErrorCode.INVALID_INPUT);
        }
        return names.isEmpty() ? Optional.empty() : Optional.of(List.copyOf(names));
    }

    /** Returns {@code $select} as text, for the metadata URL. */
    public Optional<String> selectText() {
        return nonEmpty("$select").filter(text -> !text.isBlank());
    }

    /**
     * Returns {@code timeout} in whole seconds, at most and by default {@code max}. Source:
     * docs/protocol.md 1.4.
     *
     * @throws StorageException {@code INVALID_QUERY_PARAMETER_VALUE}
     */
    public Duration timeout(Duration max) {
        Optional<String> text = nonEmpty("timeout");
        if (text.isEmpty()) {
            return max;
        }
        return EdmReader.wholeNumber(text.get().strip())
                .filter(seconds -> seconds > 0)
                .map(seconds -> Duration.ofSeconds(Math.min(seconds, max.toSeconds())))
                .orElseThrow(() -> new StorageException(ErrorCode.INVALID_QUERY_PARAMETER_VALUE));
    }
}
