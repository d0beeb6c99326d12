package io.parterre.frontend.table;

import io.parterre.entity.EdmValue;
import io.parterre.entity.Ticks;
import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import io.parterre.frontend.table.FilterToken.Kind;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;

/** Splits a filter into tokens. Source: docs/protocol.md 5.3. One per filter; not thread-safe. */
final class FilterLexer {
    private final String filter;
    private int at;

    FilterLexer(String filter) {
        this.filter = filter;
    }

    /**
     * Returns the next token; at the end always END.
     *
     * @throws StorageException {@code INVALID_INPUT} if a literal is malformed or a character has
     *     no place in a filter
     */
    FilterToken next() {
        while (at < filter.length() && Character.isWhitespace(filter.charAt(at))) {
            at++;
        }
        if (at == filter.length()) {
            return token(Kind.END, at);
        }
        int from = at;
        char unit = filter.charAt(at);
        return switch (unit) {
            case '(' -> single(Kind.OPEN);
            case ')' -> single(Kind.CLOSE);
            case ',' -> single(Kind.COMMA);
            case '/' -> single(Kind.SLASH);
            case '\'' -> {
                String text = quoted();
                yield literal(from, new EdmValue.StringValue(text));
            }
            default -> {
                boolean minus = unit == '-' && at + 1 < filter.length();
                if (isDigit(unit) || minus && isDigit(filter.charAt(at + 1))) {
                    yield number();
                }
                at += minus ? 1 : 0;
                yield word(from);
            }
        };
    }

    private FilterToken single(Kind kind) {
        at++;
        return token(kind, at - 1);
    }

    private FilterToken token(Kind kind, int from) {
        return new FilterToken(kind, filter.substring(from, at), at, Optional.empty());
    }

    private FilterToken literal(int from, EdmValue value) {
        return new FilterToken(Kind.LITERAL, filter.substring(from, at), at, Optional.of(value));
    }

    /** Returns the contents of a quoted text, with doubled quotes undoubled. */
    private String quoted() {
        StringBuilder text = new StringBuilder();
        at++;
        while (true) {
            int quote = filter.indexOf('\'', at);
            if (quote < 0) {
                throw new StorageException(
                        ErrorCode.INVALID_INPUT,
                        "There is an unterminated string literal at position %s in '%s'."
                                .formatted(filter.length(), filter));
            }
            text.append(filter, at, quote);
            at = quote + 1;
            if (at >= filter.length() || filter.charAt(at) != '\'') {
                return text.toString();
            }
            text.append('\'');
            at++;
        }
    }

    private FilterToken word(int from) {
        while (at < filter.length()) {
            int point = filter.codePointAt(at);
            if (!PropertyNames.isPart(point)) {
                break;
            }
            at += Character.charCount(point);
        }
        if (at == from) {
            at++;
            throw syntaxError(filter, at);
        }
        String word = filter.substring(from, at);
        if (at < filter.length() && filter.charAt(at) == '\'') {
            return prefixed(word, from);
        }
        // The service accepts these in any case, but not keywords and properties.
        if (word.equalsIgnoreCase("true") || word.equalsIgnoreCase("false")) {
            return literal(from, new EdmValue.BooleanValue(word.equalsIgnoreCase("true")));
        }
        return switch (word) {
            case "NaN" -> literal(from, new EdmValue.DoubleValue(Double.NaN));
            case "INF", "Infinity" ->
                    literal(from, new EdmValue.DoubleValue(Double.POSITIVE_INFINITY));
            case "-INF", "-Infinity" ->
                    literal(from, new EdmValue.DoubleValue(Double.NEGATIVE_INFINITY));
            default -> {
                if (word.charAt(0) == '-' || word.length() > PropertyNames.CHARS_MAX) {
                    throw syntaxError(filter, at);
                }
                yield token(Kind.WORD, from);
            }
        };
    }

    private FilterToken prefixed(String prefix, int from) {
        return switch (prefix.toLowerCase(Locale.ROOT)) {
            case "datetime" -> time(from, quoted());
            case "guid" ->
                    literal(
                            from,
                            new EdmValue.GuidValue(
                                    EdmReader.guid(quoted())
                                            .orElseThrow(() -> unrecognized("Edm.Guid", from))));
            case "x", "binary" -> binary(from, quoted());
            default -> throw syntaxError(filter, at);
        };
    }

    private FilterToken time(int from, String text) {
        OptionalLong ticks = Ticks.parse(text);
        if (ticks.isEmpty()) {
            throw unrecognized("Edm.DateTime", from);
        }
        if (ticks.getAsLong() < Ticks.MIN) {
            return token(Kind.EARLY_DATE, from);
        }
        return ticks.getAsLong() > Ticks.MAX
                ? token(Kind.LATE_DATE, from)
                : literal(from, new EdmValue.DateTimeValue(ticks.getAsLong()));
    }

    private FilterToken binary(int from, String hex) {
        try {
            return literal(
                    from,
                    new EdmValue.BinaryValue(
                            HexFormat.of().parseHex(EdmReader.withoutBlanks(hex))));
        } catch (IllegalArgumentException notHex) {
            throw unrecognized("Edm.Binary", from);
        }
    }

    private FilterToken number() {
        int from = at;
        at++;
        boolean decimal = false;
        while (at < filter.length()) {
            char unit = filter.charAt(at);
            boolean exponentSign =
                    (unit == '+' || unit == '-')
                            && (filter.charAt(at - 1) == 'e' || filter.charAt(at - 1) == 'E');
            if (unit == '.' || unit == 'e' || unit == 'E' || exponentSign) {
                decimal = true;
            } else if (!isDigit(unit)) {
                break;
            }
            at++;
        }
        String digits = filter.substring(from, at);
        char suffix = at < filter.length() ? filter.charAt(at) : ' ';
        boolean int64 = suffix == 'L' || suffix == 'l';
        boolean float64 = "DdFfMm".indexOf(suffix) >= 0;
        at += int64 || float64 ? 1 : 0;
        if (int64) {
            return literal(from, new EdmValue.Int64Value(whole(digits, from, "Edm.Int64")));
        }
        return literal(from, decimal || float64 ? float64(digits, from) : int32(digits, from));
    }

    private EdmValue int32(String digits, int from) {
        long value = whole(digits, from, "Edm.Int32");
        if (value != (int) value) {
            throw unrecognized("Edm.Int32", from);
        }
        return new EdmValue.Int32Value((int) value);
    }

    private long whole(String digits, int from, String type) {
        return EdmReader.wholeNumber(digits).orElseThrow(() -> unrecognized(type, from));
    }

    private EdmValue float64(String digits, int from) {
        double value =
                EdmReader.decimal(digits).orElseThrow(() -> unrecognized("Edm.Double", from));
        if (Double.isInfinite(value)) {
            throw unrecognized("Edm.Double", from);
        }
        return new EdmValue.DoubleValue(value);
    }

    private StorageException unrecognized(String type, int from) {
        return new StorageException(
                ErrorCode.INVALID_INPUT,
                "Unrecognized '%s' literal '%s' at '%s' in '%s'."
                        .formatted(type, filter.substring(from, at), from, filter));
    }

    /**
     * Returns the error in the service's own text. The position is the offset of the offending
     * token's end.
     */
    static StorageException syntaxError(String filter, int end) {
        return new StorageException(
                ErrorCode.INVALID_INPUT,
                "Syntax error at position " + end + " in '" + filter + "'.");
    }

    private static boolean isDigit(char unit) {
        return unit >= '0' && unit <= '9';
    }
}
