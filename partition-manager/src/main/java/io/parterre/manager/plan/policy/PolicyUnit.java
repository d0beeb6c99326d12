package io.parterre.manager.plan.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The unit of a value of the policy and its notation, as in the configuration file. Durations are
 * held in nanoseconds, switches as 1 and 0. Stateless and thread-safe.
 */
public enum PolicyUnit {
    NUMBER("a whole number") {
        @Override
        long read(String text) {
            return Long.parseLong(text);
        }

        @Override
        public String print(long value) {
            return Long.toString(value);
        }
    },
    BYTES("bytes, as 65536, 512MiB or 16GiB") {
        @Override
        long read(String text) {
            return scaled(text, BYTE_UNITS);
        }

        @Override
        public String print(long value) {
            return scaled(value, BYTE_UNITS);
        }
    },
    DURATION("a duration, as 250ms, 5s, 2m or 1h") {
        @Override
        long read(String text) {
            return scaled(text, TIME_UNITS);
        }

        @Override
        public String print(long value) {
            return value == 0 ? "0s" : scaled(value, TIME_UNITS);
        }
    },
    SWITCH("true or false") {
        @Override
        long read(String text) {
            return switch (text) {
                case "true" -> 1;
                case "false" -> 0;
                default -> throw new NumberFormatException(text);
            };
        }

        @Override
        public String print(long value) {
            return value == 0 ? "false" : "true";
        }
    };

    private static final Pattern SCALED = Pattern.compile("(\\d{1,18}(?:\\.\\d{1,9})?)([a-zA-Z]*)");

    /** Largest first. */
    private static final Map<String, Long> BYTE_UNITS =
            units(
                    List.of("TiB", "GiB", "MiB", "KiB", ""),
                    List.of(1L << 40, 1L << 30, 1L << 20, 1L << 10, 1L));

    private static final Map<String, Long> TIME_UNITS =
            units(
                    List.of("h", "m", "s", "ms", "us", "ns"),
                    List.of(
                            Duration.ofHours(1).toNanos(),
                            Duration.ofMinutes(1).toNanos(),
                            Duration.ofSeconds(1).toNanos(),
                            Duration.ofMillis(1).toNanos(),
                            1_000L,
                            1L));

    private final String form;

    PolicyUnit(String form) {
        this.form = form;
    }

    private static Map<String, Long> units(List<String> names, List<Long> sizes) {
        Map<String, Long> units = new LinkedHashMap<>();
        for (int i = 0; i < names.size(); i++) {
            units.put(names.get(i), sizes.get(i));
        }
        return units;
    }

    /** Returns a description of the notation. */
    String form() {
        return form;
    }

    /**
     * Reads a value.
     *
     * @throws ArithmeticException if the value is too large or not whole
     * @throws NumberFormatException if the text is not a value
     */
    abstract long read(String text);

    /** Returns the canonical notation of a value. */
    public abstract String print(long value);

    private static long scaled(String text, Map<String, Long> units) {
        Matcher matcher = SCALED.matcher(text);
        if (!matcher.matches() || !units.containsKey(matcher.group(2))) {
            throw new NumberFormatException(text);
        }
        return new BigDecimal(matcher.group(1))
                .multiply(BigDecimal.valueOf(units.get(matcher.group(2))))
                .longValueExact();
    }

    private static String scaled(long value, Map<String, Long> units) {
        return units.entrySet().stream()
                .filter(unit -> value % unit.getValue() == 0)
                .filter(unit -> value != 0 || unit.getValue() == 1)
                .map(unit -> value / unit.getValue() + unit.getKey())
                .findFirst()
                .orElseThrow();
    }
}
