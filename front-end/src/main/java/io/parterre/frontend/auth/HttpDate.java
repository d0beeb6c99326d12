package io.parterre.frontend.auth;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDate;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * Dates that clients sign. The form that all of them send, {@code Thu, 01 Jan 2026 00:00:00 GMT},
 * is parsed in place, because every request carries one. Any other form goes to the library's
 * parser of RFC 1123. Stateless; thread-safe.
 */
final class HttpDate {
    private static final int LENGTH = 29;
    private static final String DAYS = "MonTueWedThuFriSatSun";
    private static final String MONTHS = "JanFebMarAprMayJunJulAugSepOctNovDec";
    private static final long SECONDS_PER_DAY = 86_400;

    private HttpDate() {}

    /** Parses a date; returns empty if the text is no date. */
    static Optional<Instant> parse(String text) {
        try {
            Optional<Instant> usual = parseUsual(text);
            return usual.isPresent()
                    ? usual
                    : Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
        } catch (DateTimeException malformed) {
            return Optional.empty();
        }
    }

    /** Parses the usual form; returns empty if the library must decide. */
    private static Optional<Instant> parseUsual(String text) {
        if (text.length() != LENGTH || !text.endsWith(" GMT") || !text.startsWith(", ", 3)) {
            return Optional.empty();
        }
        int day = number(text, 5, 2);
        int month = indexOf(MONTHS, text, 8) + 1;
        int year = number(text, 12, 4);
        int hour = number(text, 17, 2);
        int minute = number(text, 20, 2);
        int second = number(text, 23, 2);
        boolean separated =
                text.charAt(7) == ' '
                        && text.charAt(11) == ' '
                        && text.charAt(16) == ' '
                        && text.charAt(19) == ':'
                        && text.charAt(22) == ':';
        boolean possible =
                day > 0
                        && month > 0
                        && year > 0
                        && in(hour, 24)
                        && in(minute, 60)
                        && in(second, 60);
        // The library is lenient about days that a month does not have, so the library decides.
        if (!separated || !possible || day > YearMonth.of(year, month).lengthOfMonth()) {
            return Optional.empty();
        }
        LocalDate date = LocalDate.of(year, month, day);
        if (date.getDayOfWeek().getValue() - 1 != indexOf(DAYS, text, 0)) {
            return Optional.empty();
        }
        return Optional.of(
                Instant.ofEpochSecond(
                        date.toEpochDay() * SECONDS_PER_DAY
                                + hour * 3_600L
                                + minute * 60L
                                + second));
    }

    private static boolean in(int value, int endExclusive) {
        return value >= 0 && value < endExclusive;
    }

    /** Returns the digits as a number; negative if one of the characters is no digit. */
    private static int number(String text, int from, int digits) {
        int value = 0;
        for (int at = from; at < from + digits; at++) {
            int digit = text.charAt(at) - '0';
            if (!in(digit, 10)) {
                return -1;
            }
            value = value * 10 + digit;
        }
        return value;
    }

    /** Returns the index of the three-letter name that stands at {@code at}; -1 if none does. */
    private static int indexOf(String names, String text, int at) {
        for (int name = 0; name < names.length(); name += 3) {
            if (text.regionMatches(at, names, name, 3)) {
                return name / 3;
            }
        }
        return -1;
    }
}
