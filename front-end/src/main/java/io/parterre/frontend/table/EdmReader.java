package io.parterre.frontend.table;

import io.parterre.entity.EdmType;
import io.parterre.entity.EdmValue;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.SignStyle;
import java.time.temporal.ChronoField;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * Converts JSON scalars to values of EDM types, by annotation or by their form. Source:
 * docs/protocol.md 4.1. Stateless; thread-safe.
 *
 * <p>Numbers and booleans may also be strings if their type is annotated, as OData readers accept
 * them. Without annotation a whole number beyond Int32 is a Double.
 */
final class EdmReader {
    /** An offset may shift a date into the year 0 or 10000; the year has no sign either. */
    private static final DateTimeFormatter OUT_OF_RANGE =
            new DateTimeFormatterBuilder()
                    .appendPattern("MM/dd/")
                    .appendValue(ChronoField.YEAR, 4, 5, SignStyle.NEVER)
                    .appendPattern(" HH:mm:ss")
                    .toFormatter(Locale.ROOT)
                    .withZone(ZoneOffset.UTC);

    private EdmReader() {}

    /**
     * Returns the value of a member that is not null.
     *
     * @throws StorageException {@code INVALID_INPUT} if value and type disagree, {@code
     *     OUT_OF_RANGE_INPUT} for a time outside the service's range
     */
    static EdmValue read(String name, JsonScalar value, Optional<String> typeName) {
        if (typeName.isEmpty()) {
            return inferred(value);
        }
        EdmType type =
                EdmType.ofWireName(typeName.get())
                        .orElseThrow(() -> new StorageException(ErrorCode.INVALID_INPUT));
        return switch (type) {
            case STRING -> new EdmValue.StringValue(string(value));
            case BOOLEAN -> new EdmValue.BooleanValue(bool(value));
            case INT32 -> int32(integer(value));
            case INT64 -> new EdmValue.Int64Value(integer(value));
            case DOUBLE -> new EdmValue.DoubleValue(float64(value));
            case DATE_TIME -> new EdmValue.DateTimeValue(time(name, string(value)));
            case GUID ->
                    new EdmValue.GuidValue(guid(string(value)).orElseThrow(EdmReader::mismatch));
            case BINARY -> new EdmValue.BinaryValue(binary(string(value)));
        };
    }

    private static EdmValue inferred(JsonScalar value) {
        return switch (value.kind()) {
            case STRING -> new EdmValue.StringValue(value.text());
            case TRUE -> new EdmValue.BooleanValue(true);
            case FALSE -> new EdmValue.BooleanValue(false);
            case INTEGER -> {
                Optional<Long> whole = wholeNumber(value.text());
                yield whole.isPresent() && whole.get() == whole.get().intValue()
                        ? new EdmValue.Int32Value(whole.get().intValue())
                        : new EdmValue.DoubleValue(finite(value.text()));
            }
            case DECIMAL -> new EdmValue.DoubleValue(finite(value.text()));
            case NULL -> throw mismatch();
        };
    }

    private static String string(JsonScalar value) {
        if (value.kind() != JsonScalar.Kind.STRING) {
            throw mismatch();
        }
        return value.text();
    }

    private static boolean bool(JsonScalar value) {
        return switch (value.kind()) {
            case TRUE -> true;
            case FALSE -> false;
            case STRING -> {
                boolean isTrue = value.text().equalsIgnoreCase("true");
                if (!isTrue && !value.text().equalsIgnoreCase("false")) {
                    throw mismatch();
                }
                yield isTrue;
            }
            case NULL, INTEGER, DECIMAL -> throw mismatch();
        };
    }

    private static EdmValue int32(long value) {
        if (value != (int) value) {
            throw mismatch();
        }
        return new EdmValue.Int32Value((int) value);
    }

    private static long integer(JsonScalar value) {
        boolean possible =
                value.kind() == JsonScalar.Kind.INTEGER || value.kind() == JsonScalar.Kind.STRING;
        return (possible ? wholeNumber(value.text()) : Optional.<Long>empty())
                .orElseThrow(EdmReader::mismatch);
    }

    private static double float64(JsonScalar value) {
        return switch (value.kind()) {
            case INTEGER, DECIMAL -> finite(value.text());
            case STRING ->
                    switch (value.text()) {
                        case "NaN" -> Double.NaN;
                        case "Infinity", "INF" -> Double.POSITIVE_INFINITY;
                        case "-Infinity", "-INF" -> Double.NEGATIVE_INFINITY;
                        default -> finite(value.text());
                    };
            case NULL, TRUE, FALSE -> throw mismatch();
        };
    }

    private static long time(String name, String text) {
        OptionalLong ticks = Ticks.parse(text);
        if (ticks.isEmpty()) {
            throw mismatch();
        }
        if (ticks.getAsLong() < Ticks.MIN || ticks.getAsLong() > Ticks.MAX) {
            Instant instant = Ticks.toInstant(ticks.getAsLong());
            throw new StorageException(
                    ErrorCode.OUT_OF_RANGE_INPUT,
                    "The '%s' parameter of value '%s' is out of range."
                            .formatted(name, OUT_OF_RANGE.format(instant)));
        }
        return ticks.getAsLong();
    }

    /** Parses 8-4-4-4-12 hex digits in either case; no other form that Java would accept. */
    static Optional<UUID> guid(String text) {
        if (text.length() != 36) {
            return Optional.empty();
        }
        for (int i = 0; i < 36; i++) {
            boolean dash = i == 8 || i == 13 || i == 18 || i == 23;
            char unit = text.charAt(i);
            boolean fits = dash ? unit == '-' : unit < 0x80 && Character.digit(unit, 16) >= 0;
            if (!fits) {
                return Optional.empty();
            }
        }
        return Optional.of(UUID.fromString(text));
    }

    /** Decodes padded base64, which encoders break into lines. */
    private static byte[] binary(String text) {
        String base64 = withoutBlanks(text);
        if (base64.length() % 4 != 0) {
            throw mismatch();
        }
        try {
            return Base64.getDecoder().decode(base64);
        } catch (IllegalArgumentException notBase64) {
            throw mismatch();
        }
    }

    /**
     * Returns the text without the spaces, tabs and line breaks that encoders insert into binary
     * values.
     */
    static String withoutBlanks(String text) {
        StringBuilder kept = null;
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean blank = unit == '\n' || unit == '\r' || unit == ' ' || unit == '\t';
            if (blank && kept == null) {
                kept = new StringBuilder(text.length()).append(text, 0, i);
            } else if (!blank && kept != null) {
                kept.append(unit);
            }
        }
        return kept == null ? text : kept.toString();
    }

    /** Parses an optional sign and decimal digits; empty if the number does not fit a long. */
    static Optional<Long> wholeNumber(String text) {
        int from = text.startsWith("-") ? 1 : 0;
        if (from == text.length() || !isDigits(text, from)) {
            return Optional.empty();
        }
        try {
            return Optional.of(Long.parseLong(text));
        } catch (NumberFormatException tooBig) {
            return Optional.empty();
        }
    }

    private static boolean isDigits(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (text.charAt(i) < '0' || text.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }

    private static double finite(String text) {
        double value = decimal(text).orElseThrow(EdmReader::mismatch);
        // A value that no reader of the answer could parse would break every later listing.
        if (Double.isInfinite(value)) {
            throw mismatch();
        }
        return value;
    }

    /** Parses a number in decimal notation, without Java's suffixes and hexadecimal forms. */
    static Optional<Double> decimal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char unit = text.charAt(i);
            boolean allowed =
                    unit >= '0' && unit <= '9'
                            || unit == '.'
                            || unit == '-'
                            || unit == '+'
                            || unit == 'e'
                            || unit == 'E';
            if (!allowed) {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(Double.parseDouble(text));
        } catch (NumberFormatException malformed) {
            return Optional.empty();
        }
    }

    private static StorageException mismatch() {
        return new StorageException(
                ErrorCode.INVALID_INPUT, "An error occurred while processing this request.");
    }
}
