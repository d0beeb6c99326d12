package io.parterre.entity;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.OptionalLong;

/**
 * Time in 100 ns units since 1970-01-01T00:00:00Z: the resolution of the service, as a long.
 * Stateless; safe for any thread.
 *
 * <p>Text form: {@code yyyy-MM-ddTHH:mm:ss[.fffffff]Z}, trailing zeros of the fraction trimmed.
 * Source: docs/protocol.md 3.7 and 4.1.
 */
public final class Ticks {
    public static final long PER_SECOND = 10_000_000L;

    /** 1601-01-01T00:00:00Z. */
    public static final long MIN = -11_644_473_600L * PER_SECOND;

    /** 9999-12-31T23:59:59.9999999Z. */
    public static final long MAX = 253_402_300_800L * PER_SECOND - 1;

    private Ticks() {}

    /** Returns the instant's ticks, rounded down to 100 ns. */
    public static long of(Instant instant) {
        return instant.getEpochSecond() * PER_SECOND + instant.getNano() / 100;
    }

    public static Instant toInstant(long ticks) {
        return Instant.ofEpochSecond(
                Math.floorDiv(ticks, PER_SECOND), Math.floorMod(ticks, PER_SECOND) * 100);
    }

    /** The text form, fraction trimmed: {@code 2017-01-05T03:25:45.588957Z}. */
    public static String format(long ticks) {
        StringBuilder out = new StringBuilder(28);
        appendTo(out, ticks, ":");
        return out.toString();
    }

    /**
     * Appends the text form of {@link #format} with another text for each colon, because ETags
     * encode colons.
     */
    public static void appendTo(StringBuilder out, long ticks, String colon) {
        int fraction = appendSeconds(out, ticks, colon);
        if (fraction != 0) {
            out.append('.');
            int digits = 7;
            while (fraction % 10 == 0) {
                fraction /= 10;
                digits--;
            }
            appendPadded(out, fraction, digits);
        }
        out.append('Z');
    }

    /** The text form with all seven digits, as in error texts: {@code ...:47.7931900Z}. */
    public static String formatFull(long ticks) {
        StringBuilder out = new StringBuilder(28);
        int fraction = appendSeconds(out, ticks, ":");
        out.append('.');
        appendPadded(out, fraction, 7);
        return out.append('Z').toString();
    }

    private static int appendSeconds(StringBuilder out, long ticks, String colon) {
        LocalDateTime time =
                LocalDateTime.ofEpochSecond(Math.floorDiv(ticks, PER_SECOND), 0, ZoneOffset.UTC);
        appendPadded(out, time.getYear(), 4);
        appendPadded(out.append('-'), time.getMonthValue(), 2);
        appendPadded(out.append('-'), time.getDayOfMonth(), 2);
        appendPadded(out.append('T'), time.getHour(), 2);
        appendPadded(out.append(colon), time.getMinute(), 2);
        appendPadded(out.append(colon), time.getSecond(), 2);
        return Math.floorMod(ticks, (int) PER_SECOND);
    }

    private static void appendPadded(StringBuilder out, int value, int digits) {
        int bound = 1;
        for (int i = 1; i < digits; i++) {
            bound *= 10;
        }
        for (; bound > 1 && value < bound; bound /= 10) {
            out.append('0');
        }
        out.append(value);
    }

    /**
     * Reads ISO 8601: date, or date and time to the minute, second or fraction, with {@code Z}, an
     * offset, or neither (taken as UTC). More than seven fraction digits are cut off. Returns empty
     * if the text is no such time. The result may lie outside {@link #MIN}..{@link #MAX}: years
     * 0001 to 9999 are read, and the caller checks the bounds.
     */
    public static OptionalLong parse(String text) {
        Scanner in = new Scanner(text);
        try {
            int year = in.number(4);
            if (year == 0) {
                throw new IllegalArgumentException("time: there is no year 0");
            }
            in.expect('-');
            int month = in.number(2);
            in.expect('-');
            int day = in.number(2);
            int hour = 0;
            int minute = 0;
            int second = 0;
            long fraction = 0;
            long offsetSeconds = 0;
            if (in.more()) {
                in.expect('T');
                hour = in.number(2);
                in.expect(':');
                minute = in.number(2);
                if (in.accept(':')) {
                    second = in.number(2);
                    if (in.accept('.')) {
                        fraction = in.fraction();
                    }
                }
                offsetSeconds = in.offset();
            }
            in.end();
            long epochSecond =
                    LocalDateTime.of(year, month, day, hour, minute, second)
                            .toEpochSecond(ZoneOffset.UTC);
            return OptionalLong.of((epochSecond - offsetSeconds) * PER_SECOND + fraction);
        } catch (IllegalArgumentException | java.time.DateTimeException malformed) {
            return OptionalLong.empty();
        }
    }

    /** Reads fixed-width fields; unexpected text causes an {@link IllegalArgumentException}. */
    private static final class Scanner {
        private final String text;
        private int at;

        Scanner(String text) {
            this.text = text;
        }

        boolean more() {
            return at < text.length();
        }

        boolean accept(char expected) {
            if (more() && text.charAt(at) == expected) {
                at++;
                return true;
            }
            return false;
        }

        void expect(char expected) {
            if (!accept(expected)) {
                throw new IllegalArgumentException("time: '" + expected + "' expected at " + at);
            }
        }

        void end() {
            if (more()) {
                throw new IllegalArgumentException("time: unexpected text at " + at);
            }
        }

        int number(int digits) {
            int value = 0;
            for (int i = 0; i < digits; i++) {
                value = value * 10 + digit();
            }
            return value;
        }

        long fraction() {
            long value = 0;
            int digits = 0;
            while (more() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
                int digit = digit();
                if (digits < 7) {
                    value = value * 10 + digit;
                }
                digits++;
            }
            if (digits == 0) {
                throw new IllegalArgumentException("time: no digit after the point");
            }
            for (int i = digits; i < 7; i++) {
                value *= 10;
            }
            return value;
        }

        long offset() {
            if (accept('Z') || !more()) {
                return 0;
            }
            int sign = accept('-') ? -1 : 1;
            if (sign == 1) {
                expect('+');
            }
            int hours = number(2);
            accept(':');
            int minutes = number(2);
            if (hours > 14 || minutes > 59) {
                throw new IllegalArgumentException("time: offset out of range");
            }
            return sign * (hours * 3600L + minutes * 60L);
        }

        private int digit() {
            if (!more()) {
                throw new IllegalArgumentException("time: ends early");
            }
            char unit = text.charAt(at++);
            if (unit < '0' || unit > '9') {
                throw new IllegalArgumentException("time: digit expected at " + (at - 1));
            }
            return unit - '0';
        }
    }
}
