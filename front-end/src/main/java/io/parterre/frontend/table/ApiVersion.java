package io.parterre.frontend.table;

import io.parterre.error.ErrorCode;
import io.parterre.error.StorageException;
import java.time.YearMonth;
import java.util.Optional;

/**
 * The protocol version of a request: a date. Versions newer than we know are treated as the newest
 * known and are echoed, because refusing them is what most often breaks clients of other servers.
 * Source: docs/protocol.md 9.1.
 *
 * @param text the version as sent, or the newest known if none was sent
 */
public record ApiVersion(String text) {
    private static final String OLDEST = "2009-04-14";
    private static final String NEWEST_KNOWN = "2020-12-06";
    private static final String FIRST_WITH_JSON = "2013-08-15";

    /**
     * Parses a version.
     *
     * @throws StorageException {@code INVALID_HEADER_VALUE} if the text is no date from 2009-04-14
     *     on
     */
    public static ApiVersion parse(Optional<String> header) {
        Optional<String> text = header.map(String::strip).filter(value -> !value.isEmpty());
        if (text.isEmpty()) {
            return new ApiVersion(NEWEST_KNOWN);
        }
        if (!isDate(text.get()) || text.get().compareTo(OLDEST) < 0) {
            throw new StorageException(ErrorCode.INVALID_HEADER_VALUE);
        }
        return new ApiVersion(text.get());
    }

    /**
     * Returns whether the text has the form {@code yyyy-MM-dd}. Written by hand because every
     * request has a version, and the library's parser does more than needed.
     */
    private static boolean isDate(String text) {
        if (text.length() != 10 || text.charAt(4) != '-' || text.charAt(7) != '-') {
            return false;
        }
        int year = number(text, 0, 4);
        int month = number(text, 5, 7);
        int day = number(text, 8, 10);
        return year > 0
                && month >= 1
                && month <= 12
                && day >= 1
                && day <= YearMonth.of(year, month).lengthOfMonth();
    }

    /** Returns the digits as a number; -1 if one of the characters is no digit. */
    private static int number(String text, int from, int to) {
        int value = 0;
        for (int at = from; at < to; at++) {
            int digit = text.charAt(at) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            value = 10 * value + digit;
        }
        return value;
    }

    public boolean hasJson() {
        return text.compareTo(FIRST_WITH_JSON) >= 0;
    }

    /** Returns whether the version predates the distinction of hourly and minute metrics. */
    public boolean hasOneKindOfMetrics() {
        return text.compareTo(FIRST_WITH_JSON) < 0;
    }
}
