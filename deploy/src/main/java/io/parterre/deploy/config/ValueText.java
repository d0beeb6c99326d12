package io.parterre.deploy.config;

import java.math.BigDecimal;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Converts values of a type to text and back. Stateless; thread-safe. */
@SuppressWarnings("ImmutableEnumChecker") // List.of makes lists that never change
enum ValueText {
    TEXT("text", String.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return text;
        }
    },
    FLAG("true or false", boolean.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw refused(text);
            };
        }
    },
    WHOLE_NUMBER("a whole number", int.class, long.class) {
        @Override
        Object parse(String text, Class<?> type) {
            try {
                return number(Long.parseLong(text), type);
            } catch (ArithmeticException | NumberFormatException e) {
                throw refused(text);
            }
        }
    },
    BYTES("bytes, as 65536, 64KiB, 8MiB or 1GiB") {
        @Override
        Object parse(String text, Class<?> type) {
            Matcher matcher = BYTES_FORM.matcher(text);
            if (!matcher.matches()) {
                throw refused(text);
            }
            try {
                long units = Long.parseLong(matcher.group(1));
                return number(Math.multiplyExact(units, BYTE_UNITS.get(matcher.group(2))), type);
            } catch (ArithmeticException | NumberFormatException e) {
                throw refused(text);
            }
        }

        @Override
        String print(Object value) {
            long bytes = ((Number) value).longValue();
            for (String unit : List.of("GiB", "MiB", "KiB")) {
                if (bytes != 0 && bytes % BYTE_UNITS.get(unit) == 0) {
                    return bytes / BYTE_UNITS.get(unit) + unit;
                }
            }
            return Long.toString(bytes);
        }
    },
    TIME("a duration, as 250ms, 5s, 2m or 1h", Duration.class) {
        @Override
        Object parse(String text, Class<?> type) {
            Matcher matcher = TIME_FORM.matcher(text);
            try {
                if (matcher.matches()) {
                    return Duration.ofNanos(
                            new BigDecimal(matcher.group(1))
                                    .multiply(BigDecimal.valueOf(TIME_UNITS.get(matcher.group(2))))
                                    .longValueExact());
                }
                return Duration.parse(text);
            } catch (ArithmeticException | DateTimeParseException e) {
                throw refused(text);
            }
        }

        @Override
        String print(Object value) {
            long nanos = ((Duration) value).toNanos();
            for (String unit : List.of("h", "m", "s", "ms", "us")) {
                if (nanos != 0 && nanos % TIME_UNITS.get(unit) == 0) {
                    return nanos / TIME_UNITS.get(unit) + unit;
                }
            }
            return nanos == 0 ? "0s" : nanos + "ns";
        }
    },
    PATH("a path", Path.class) {
        @Override
        Object parse(String text, Class<?> type) {
            try {
                return Path.of(text);
            } catch (InvalidPathException e) {
                throw refused(text);
            }
        }
    },
    CHOICE("one of its names") {
        @Override
        Object parse(String text, Class<?> type) {
            return Arrays.stream(type.getEnumConstants())
                    .filter(constant -> print(constant).equals(text))
                    .findFirst()
                    .orElseThrow(
                            () ->
                                    new IllegalArgumentException(
                                            "'"
                                                    + text
                                                    + "' (expected: "
                                                    + Arrays.stream(type.getEnumConstants())
                                                            .map(this::print)
                                                            .collect(Collectors.joining(" or "))
                                                    + ")"));
        }

        @Override
        String print(Object value) {
            return ((Enum<?>) value).name().toLowerCase(Locale.ROOT);
        }
    },
    NAMES("names, several with ,", List.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return Arrays.stream(text.split(","))
                    .map(String::strip)
                    .filter(name -> !name.isEmpty())
                    .toList();
        }

        @Override
        String print(Object value) {
            return ((List<?>) value)
                    .stream().map(Object::toString).collect(Collectors.joining(","));
        }
    },
    ACCOUNTS("accounts, as name:key or name:key:key, several with ;", AccountList.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return AccountList.parse(text);
        }
    },
    SECRET("a secret of 16 to 256 visible characters", OperatorToken.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return OperatorToken.of(text);
        }
    },
    MANAGERS("managers, as id=host:port/host:port, several with ;", ManagerList.class) {
        @Override
        Object parse(String text, Class<?> type) {
            return ManagerList.parse(text);
        }
    };

    private static final Pattern BYTES_FORM = Pattern.compile("(\\d{1,18})(|KiB|MiB|GiB)");
    private static final Map<String, Long> BYTE_UNITS =
            Map.of("", 1L, "KiB", 1L << 10, "MiB", 1L << 20, "GiB", 1L << 30);
    private static final Pattern TIME_FORM =
            Pattern.compile("(\\d{1,12}(?:\\.\\d{1,6})?)(us|ms|s|m|h)");
    private static final Map<String, Long> TIME_UNITS =
            Map.of(
                    "us",
                    1_000L,
                    "ms",
                    1_000_000L,
                    "s",
                    1_000_000_000L,
                    "m",
                    60_000_000_000L,
                    "h",
                    3_600_000_000_000L);

    private final String expected;
    private final List<Class<?>> types;

    ValueText(String expected, Class<?>... types) {
        this.expected = expected;
        this.types = List.of(types);
    }

    /**
     * Returns how values of the type are written. A number whose name contains "bytes" has byte
     * units.
     *
     * @throws IllegalArgumentException if configuration has no such type, which is a defect of ours
     */
    static ValueText of(String name, Class<?> type) {
        if (type.isEnum()) {
            return CHOICE;
        }
        if ((type == int.class || type == long.class) && name.matches(".*[bB]ytes([A-Z].*)?")) {
            return BYTES;
        }
        return Arrays.stream(values())
                .filter(kind -> kind.types.contains(type))
                .findFirst()
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        name + ": " + type + " (expected: a type we can read)"));
    }

    /** Returns whether a value of the type is a single text, not a section. */
    static boolean isRead(Class<?> type) {
        return Arrays.stream(values()).anyMatch(kind -> kind.types.contains(type));
    }

    /**
     * Parses a value.
     *
     * @throws IllegalArgumentException with what was found and what is expected
     */
    abstract Object parse(String text, Class<?> type);

    String print(Object value) {
        return value.toString();
    }

    IllegalArgumentException refused(String text) {
        return new IllegalArgumentException("'" + text + "' (expected: " + expected + ")");
    }

    private static Object number(long value, Class<?> type) {
        return type == int.class ? (Object) Math.toIntExact(value) : (Object) value;
    }
}
